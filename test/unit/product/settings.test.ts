import t from 'tap';
import { readConfig } from '../../../control-plane/config.js';
import { readSupervisorConfig } from '../../../supervisor/config.js';

const uriOf = (uri: string) => readConfig({ PICKET_MONGODB_URI: uri }).mongodbUri;

t.test('every connection string that the driver accepts is accepted, unchanged', (t) => {
  for (const uri of [
    'mongodb://127.0.0.1:27017',
    'mongodb://a:27017,b:27017,c:27017/picket?replicaSet=rs',
    'mongodb://a,b,c/?replicaSet=rs&w=majority',
    'mongodb://user:p%40ss@a:27017,b:27018/picket?authSource=admin&replicaSet=rs',
    'mongodb://[::1]:27017,[2001:db8::1]:27018/picket?replicaSet=rs',
    'mongodb+srv://cluster.example.com/picket',
    'mongodb://%2Ftmp%2Fmongodb-27017.sock/picket',
  ]) {
    t.equal(uriOf(uri), uri);
    t.equal(readSupervisorConfig({ PICKET_MONGODB_URI: uri }).mongodbUri, uri, 'also under scripts/start');
  }
  t.end();
});

t.test('an invalid connection string is refused in one line that names the variable and shows no password', (t) => {
  const refusal = (uri: string) => {
    try {
      uriOf(uri);
    } catch (error) {
      return String(error);
    }
    return t.fail(`${uri} is accepted`);
  };
  t.match(refusal('http://a'), /PICKET_MONGODB_URI must start with mongodb:\/\/ or mongodb\+srv:\/\//);
  t.match(refusal('mongodb://'), /PICKET_MONGODB_URI is not a valid connection string; an example is/);
  t.match(refusal('mongodb://a/picket?replicaset=rs&wtimes=3'), /option wtimes is not supported/);
  t.match(refusal('mongodb://a,b/?directConnection=true'), /directConnection option requires exactly one host/);
  for (const uri of [
    'mongodb://user:hunter2/x@a:27017/',
    'mongodb://user:hunter2@x@a:27017/',
    'mongodb://user:hunter2',
    'mongodb://a:hunter2,b/',
    'mongodb://hunter2:hunter2:x@a/',
    'mongodb://user:%hunter2@a/',
    'mongodb://a/?maxPoolSize=hunter2',
    'mongodb://a/?authMechanism=hunter2',
  ]) {
    const line = refusal(uri);
    t.match(line, /PICKET_MONGODB_URI /, uri);
    t.notMatch(line, /hunter2|\n/, uri);
  }
  t.end();
});

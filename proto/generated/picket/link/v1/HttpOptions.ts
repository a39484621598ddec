// Original file: proto/link.proto


export interface HttpOptions {
  'method'?: (string);
  'expectedStatus'?: (number);
  'keyword'?: (string);
  'keywordAbsent'?: (string);
  'followRedirects'?: (boolean);
  'ignoreTlsErrors'?: (boolean);
  'headers'?: ({[key: string]: string});
  'body'?: (string);
  '_keyword'?: "keyword";
  '_keywordAbsent'?: "keywordAbsent";
  '_body'?: "body";
}

export interface HttpOptions__Output {
  'method': (string);
  'expectedStatus': (number);
  'keyword'?: (string);
  'keywordAbsent'?: (string);
  'followRedirects': (boolean);
  'ignoreTlsErrors': (boolean);
  'headers': ({[key: string]: string});
  'body'?: (string);
  '_keyword'?: "keyword";
  '_keywordAbsent'?: "keywordAbsent";
  '_body'?: "body";
}

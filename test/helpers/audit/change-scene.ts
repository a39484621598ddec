import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import type { AgentDocument, NodeDocument } from '../../../control-plane/nodes/documents.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { buildServer } from '../factories.js';
import { buildIncident } from '../notifications/build.js';
import type { ChangeScene } from './change-step.js';

export function createChangeScene(mongo: Mongo, workspaceId: string): ChangeScene {
  const made: Record<string, string> = {};
  const scene: ChangeScene = {
    id: (name) => made[name] ?? 'nothing',
    made(name, id) {
      made[name] = id;
    },
    async incident(name) {
      const document = buildIncident(workspaceId, { channels: [] });
      await mongo.db.collection<IncidentDocument>('incidents').insertOne(document);
      made[name] = document._id;
    },
    async server(hostName) {
      const { _id } = await buildServer(mongo, { workspace_id: workspaceId, name: hostName });
      made['server'] = _id;
      await scene.node('agent', _id);
    },
    async node(kind, _id) {
      const common = { _id, version: '1', hostname: 'h', credential_hash: _id, previous_credential_hash: null };
      const times = {
        credential_issued_at_ms: 0,
        enrolled_at_ms: 0,
        document_version: 1,
        drained_at_ms: null,
        revoked_at_ms: null,
      };
      const of: NodeDocument =
        kind === 'probe'
          ? { ...common, ...times, kind, location: 'fra' }
          : ({ ...common, ...times, kind, workspace_id: workspaceId } satisfies AgentDocument);
      await mongo.db.collection<NodeDocument>('nodes').insertOne(of);
    },
  };
  return scene;
}

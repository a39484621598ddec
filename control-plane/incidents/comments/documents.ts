/** A document of the collection `incident_comments`. Written once. */
export interface CommentDocument {
  _id: string;
  workspace_id: string;
  incident_id: string;
  text: string;
  /** E-mail of the person. */
  author: string;
  at_ms: number;
}

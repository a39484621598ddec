/** One document of `maintenance_feeds`: an address at which a calendar program reads the maintenance of a workspace. */
export interface FeedDocument {
  _id: string;
  workspace_id: string;
  name: string;
  /** SHA-256 of the token in the address. */
  token_hash: string;
  /** The person who created it, also with an API key. It ends with their right to change maintenance. */
  maker_id: string;
  created_by: string;
  created_at_ms: number;
}

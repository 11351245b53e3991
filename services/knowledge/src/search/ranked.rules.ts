/** A chunk in a ranking. Its text is read only if it is one of the hits. */
export interface Ranked {
  readonly knowledge_base_id: string;
  readonly document_id: string;
  readonly position: number;
  readonly score: number;
}

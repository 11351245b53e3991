import type { AgentDocument } from './agent-document.rules';
import { publishedFields } from './publication-decision.rules';

/** The input of a publication as stored: only fields that were set, with the ids of bound credentials, as JSON text. Never returned to a client. */
export function publishedConfiguration(document: AgentDocument): string {
  return JSON.stringify(Object.fromEntries(publishedFields.map((field) => [field, document[field]])));
}

/** The document with the compiled fields of an earlier publication. Tuning, tools and other fields stay unchanged. */
export function restoredDocument(stored: AgentDocument, configuration: string): AgentDocument {
  const kept = Object.entries(stored).filter(([name]) => !publishedFields.some((field) => field === name));
  const { mode } = stored;
  return Object.assign(Object.fromEntries(kept), JSON.parse(configuration), { mode }) as AgentDocument;
}

import {
  ExtractionConfiguration,
  ExtractionRecord,
  ExtractionRerun,
  ExtractionRerunCreate,
  ExtractionUpdate,
} from '../objects/extraction';
import { routesOf } from './define';

const route = routesOf('insights');
const ofTelephony = routesOf('telephony');

const path = '/v1/agents/{agent_id}/extraction';

export const extractionRoutes = {
  getExtraction: route('GET', path, {
    summary: 'Read what is extracted from the calls of an agent',
    tool: 'Read what is extracted from the calls of an agent: JSON Schema, prompt, model.',
    scope: 'agents:read',
    answer: ExtractionConfiguration,
  }),
  replaceExtraction: route('PUT', path, {
    summary: 'Set what is extracted from the calls of an agent',
    tool: 'Set what is extracted from each transcript of an agent: a JSON Schema of an object whose descriptions say what to look for.',
    scope: 'agents:write',
    body: ExtractionUpdate,
    answer: ExtractionConfiguration,
    newWork: true,
    audit: 'extraction.replaced',
    conditional: true,
    errors: ['ConflictError'],
  }),
  deleteExtraction: route('DELETE', path, {
    summary: 'Stop extracting data from the calls of an agent; stored results are kept',
    tool: 'Stop extracting data from the calls of an agent. What was extracted stays.',
    scope: 'agents:write',
    answer: ExtractionConfiguration,
    newWork: true,
    audit: 'extraction.deleted',
    conditional: true,
    errors: ['ConflictError'],
  }),
  getCallExtraction: ofTelephony('GET', '/v1/calls/{call_id}/extraction', {
    summary: 'Read what was extracted from a call',
    tool: 'Read the data that was extracted from a call, with its summary, sentiment and success.',
    scope: 'extractions:read',
    alsoScopes: ['recordings:read'],
    answer: ExtractionRecord,
  }),
  createExtractionRerun: route('POST', `${path}/reruns`, {
    summary: 'Extract from the calls of a period again',
    tool: 'Extract data again from the calls of an agent in a period.',
    scope: 'agents:write',
    // The configured model, which may be the customer's own server, receives the transcripts of earlier calls.
    alsoScopes: ['recordings:read'],
    body: ExtractionRerunCreate,
    answer: ExtractionRerun,
    creates: true,
    newWork: false,
    audit: 'extraction.rerun',
    accepted: true,
    errors: ['ConflictError'],
  }),
  getExtractionRerun: route('GET', `${path}/reruns/{extraction_rerun_id}`, {
    summary: 'Read the progress of an extraction rerun',
    tool: 'Read the progress of an extraction of earlier calls.',
    scope: 'agents:read',
    answer: ExtractionRerun,
  }),
};

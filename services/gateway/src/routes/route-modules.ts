import addCampaignContacts from './campaigns';
import listEvents from './events';
import { listenToCall, sendLiveAudio } from './live-audio';
import { putKnowledgeDocumentContent, putVerificationDocument } from './uploads';
import { watchCall } from './live-calls';
import { getRecordingAudio, putGatewayRecordingPart, putRecordingPart } from './recordings';
import type { RouteModule } from './route';

/** The routes that need code because a declaration cannot describe them. A check at startup compares this list with the declarations. */
export const routeModules: readonly RouteModule[] = [
  addCampaignContacts,
  listEvents,
  watchCall,
  listenToCall,
  sendLiveAudio,
  putKnowledgeDocumentContent,
  putVerificationDocument,
  putRecordingPart,
  putGatewayRecordingPart,
  getRecordingAudio,
];

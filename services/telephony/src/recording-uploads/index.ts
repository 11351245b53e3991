/** Uploads of recordings in parts. */
export { completeGatewayRecording, completeJobRecording } from './complete-recording';
export { putGatewayPart, putJobPart } from './put-part';

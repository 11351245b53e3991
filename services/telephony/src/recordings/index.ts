/** Recordings: their stores, parts and files, and reading them. */
export { digestParts } from './digest-parts';
export { goOnRecording } from './go-on';
export { getRecording, readAudio } from './read-recording';
export { createRecordingTranscoder } from './recording-transcoder';
export { createRecordingFinisher, partsRefusedMeter } from './recording-finisher';
export { type PartFields, type RecordingPart, areAll, lasts, partFieldsOf, sizeOf } from './recording-parts.rules';
export { RecordingStoreFull, partKey } from './recording-store';
export { recordingStoreOf } from './recording-stores';
export {
  completeUpload,
  findUpload,
  hasPartsToKeep,
  insertPart,
  listParts,
  lockUpload,
  markStored,
  touchUpload,
} from './recording-uploads.sql';
export { type Recording, putRecording } from './recordings.sql';

import type { RecordingUpload, TranscriptTurn } from '@parley/contract';

/** Below what the platform takes of a recording. */
const mostBytes = 700 * 1024;

/**
 * What the simulator has instead of sound: the turns that it spoke, as JSON, under a format of that name. None for a call
 * that no one answered.
 */
export function simulatedRecording(turns: readonly TranscriptTurn[] | null): { recording?: RecordingUpload } {
  if (turns === null) return {};
  const content = Buffer.from(JSON.stringify({ simulated: true, turns }));
  if (content.length > mostBytes) return {};
  const durationMs = Math.max(0, ...turns.map((turn) => turn.ended_ms));
  return { recording: { format: 'simulated', duration_ms: durationMs, data: content.toString('base64') } };
}

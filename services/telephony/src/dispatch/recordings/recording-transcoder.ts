import { poller, type Logger, type Poller } from '@parley/runtime';
import { OpusThread } from '@parley/speech';
import type { Telephony } from '../../telephony';
import { newFileId, transcodeRecording } from './transcode-recording';
import { anyUnfiled, claimComplete, claimUnfiled } from './unfinished-recordings.cross-tenant.sql';

/**
 * Converts the parts of each recording whose call is over to one file, one recording after another, in a thread of low priority; this process handles no audio
 * of running calls. Recordings that cannot be read yet come first, then those that can already be read from their parts.
 */
export function createRecordingTranscoder(
  telephony: Pick<Telephony, 'db' | 'recordings' | 'settings' | 'onCommit' | 'recordingsWait' | 'partRefused'>,
  log: Logger,
): Poller {
  const { db, settings } = telephony;
  const { recordingFormat: format } = settings;
  const thread = new OpusThread();
  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (await anyUnfiled(db))) {
      const fileId = newFileId(format);
      const recording = (await claimComplete(db, fileId)) ?? (await claimUnfiled(db, fileId));
      if (recording === undefined) return;
      const making = { ...recording, fileId, format, thread, signal };
      await transcodeRecording(telephony, making).catch((error: unknown) => {
        if (!signal.aborted)
          log.error({ err: error, call_id: recording.callId }, 'a recording could not be transcoded');
      });
    }
  };
  const jobs = poller({ name: 'recording-transcoder', everyMs: 1_000, run, log });
  return {
    ...jobs,
    async stop() {
      const stopped = jobs.stop();
      // If the encoding is interrupted here, another process restarts it.
      await thread.stop();
      await stopped;
    },
  };
}

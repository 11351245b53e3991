import { poller, type Logger, type Poller } from '@parley/runtime';
import { OpusThread } from '@parley/speech';
import type { Telephony } from '../telephony';
import { newFileId, transcodeRecording } from './transcode-recording';
import { anyUnfiled, claimComplete, claimUnfiled } from './unfinished-recordings.cross-tenant.sql';

/**
 * Makes one file of the parts of each recording whose call is over, one after the other, in a thread of low priority: no sound of a call goes through this process. Those that are waited for go first,
 * then those that can be read from their parts already.
 */
export function createRecordingTranscoder(telephony: Telephony, log: Logger): Poller {
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
      // Another process restarts the encoding that this interrupts.
      await thread.stop();
      await stopped;
    },
  };
}

/** Tests the installed sox programs with ALSA's null device, which accepts everything and records silence. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { openLoudspeaker, openMicrophone, requireSound } from '../../clients/cli/dist/talk/sound.js';

process.env.AUDIODEV = 'null';
const tried = spawnSync('rec', ['-q', '-n', 'trim', '0', '0.1'], { timeout: 10_000 });
const skip = tried.status === 0 ? false : 'sox with a null device of ALSA is not installed';

await test('rec gives samples until it is closed', { skip }, async () => {
  const problems: string[] = [];
  let count = 0;
  await new Promise<void>((resolve) => {
    const microphone = openMicrophone(
      (samples) => {
        count += samples.length;
        assert.ok(samples.length <= 1_600);
        if (count < 16_000) return;
        microphone.close();
        resolve();
      },
      (why) => {
        problems.push(why);
        resolve();
      },
    );
  });
  assert.deepEqual(problems, []);
});

await test('play accepts samples, drops them, and ends after the remaining ones', { skip }, async () => {
  const problems: string[] = [];
  const loudspeaker = openLoudspeaker((why) => problems.push(why));
  loudspeaker.play(new Int16Array(160_000));
  const played = loudspeaker.played();
  // Ten seconds of audio are queued, and dropped before they are played.
  loudspeaker.clear();
  await played;
  loudspeaker.play(new Int16Array(1_600));
  await loudspeaker.played();
  await loudspeaker.close();
  assert.deepEqual(problems, []);
});

await test('a missing program is named, with an alternative', () => {
  const { PATH } = process.env;
  process.env.PATH = '/nowhere';
  try {
    assert.throws(
      () => requireSound('https://a.example/test/agt_1'),
      /rec and play of sox are not .* https:\/\/a\.example\/test\/agt_1$/,
    );
  } finally {
    process.env.PATH = PATH;
  }
});

/** Samples above this level are voice, on both sides of the line. */
const voiceLevel = 400;
const rate = 8_000;
/** A longer pause ends an utterance. */
const longestPauseMs = 700;

/** When a side speaks: from its first to its last sample with voice, in ms of the line. */
export function utterances(sound: Int16Array): { readonly from: number; readonly to: number }[] {
  const found: { from: number; to: number }[] = [];
  sound.forEach((sample, n) => {
    if (Math.abs(sample) <= voiceLevel) return;
    const at = (n * 1000) / rate;
    const last = found.at(-1);
    if (last !== undefined && at - last.to < longestPauseMs) last.to = at;
    else found.push({ from: at, to: at });
  });
  return found;
}

/** From the end of each question to the first audio of the agent after it, in ms. */
export function answerTimes(said: Int16Array, heard: Int16Array): number[] {
  const questions = utterances(said);
  const answers = utterances(heard);
  return questions.flatMap(({ to }, n) => {
    const next = questions[n + 1]?.from ?? Infinity;
    const answer = answers.find(({ from }) => from > to && from < next);
    return answer === undefined ? [] : [answer.from - to];
  });
}

/**
 * npm run turns -- train FOLDER [--out FILE] | score [--weights FILE] | measure FOLDER
 *
 * train: makes the weights of the turn detector from every .txt file of the folder, one utterance a line. The same folder gives the same file.
 * score: reads the words so far of a turn from each line of the standard input, and prints the probability that the turn is finished.
 * measure: leaves out each file in turn, trains with the others, and prints how well whole utterances of it are distinguished from the same ones cut after a random word.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { rate } from './turns/measure.mts';
import { decodeModel, encodeModel, readCorpora, turnFinished, turnModelFile } from './turns/texts.mts';
import { train } from './turns/train.mts';

const usage = 'usage: npm run turns -- train FOLDER [--out FILE] | score [--weights FILE] | measure FOLDER';
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: turnModelFile }, weights: { type: 'string', default: turnModelFile } },
});
const [command, folder = ''] = positionals;
if (command === 'score') await score(values.weights);
else if (command === 'train' && folder !== '') makeWeights(folder, values.out);
else if (command === 'measure' && folder !== '') measure(folder);
else {
  console.error(usage);
  process.exitCode = 2;
}

async function score(file: string): Promise<void> {
  const model = decodeModel(readFileSync(file));
  for await (const text of createInterface({ input: process.stdin })) {
    // Without words no one has begun to speak.
    const probability = turnFinished(model, { text, language: 'en' }) ?? 0;
    process.stdout.write(`${probability.toFixed(6)}\n`);
  }
}

function makeWeights(from: string, file: string): void {
  const bytes = encodeModel(train(readCorpora(from)));
  writeFileSync(file, bytes);
  console.log(`${createHash('sha256').update(bytes).digest('hex')}  ${bytes.length} bytes`);
}

function measure(from: string): void {
  const corpora = readCorpora(from);
  console.log('| left out | area under the curve | unfinished held, 95 % of finished kept | probability there |');
  console.log('| --- | --- | --- | --- |');
  for (const corpus of corpora) {
    const model = decodeModel(encodeModel(train(corpora.filter((other) => other !== corpus))));
    const { area, held, threshold } = rate(
      corpus,
      (words) => turnFinished(model, { text: words.join(' '), language: 'en' }) ?? 0,
    );
    console.log(`| ${corpus.name} | ${area.toFixed(4)} | ${(100 * held).toFixed(1)} % | ${threshold.toFixed(2)} |`);
  }
}

/** The requirements for each call, and the table that is printed. The limits tolerate a busy machine with two cores. */
import type { Figures } from './figures.mts';

interface Line {
  what: string;
  shown: (figures: Figures) => string;
  /** Absent for a measurement that is only reported. */
  wanted?: string;
  holds?: (figures: Figures) => boolean;
}

const ms = (value: number): string => (Number.isFinite(value) ? `${value.toFixed(1)} ms` : 'never');
const db = (value: number): string => `${value.toFixed(1)} dB`;

const lines: readonly Line[] = [
  line(
    'on the websocket',
    (f) => `${f.format}, ${f.frameBytes} bytes`,
    'PCMU: ulaw, G.722: slin16',
    (f) => f.format === (f.isWide ? 'slin16' : 'ulaw'),
  ),
  line(
    'answer to first packet heard',
    (f) => ms(f.answerToFirstPacket),
    '< 500 ms',
    (f) => f.answerToFirstPacket < 500,
  ),
  line(
    'sent to first packet heard',
    (f) => ms(f.sendToFirstPacket),
    '< 100 ms',
    (f) => f.sendToFirstPacket < 100,
  ),
  line(
    'utterance in the caller’s recording',
    (f) => f.correlation.toFixed(4),
    '> 0.95',
    (f) => f.correlation > 0.95,
  ),
  line(
    'its worst half second',
    (f) => f.worstPiece.toFixed(4),
    '> 0.85',
    (f) => f.worstPiece > 0.85,
  ),
  line(
    'its largest shift in time',
    (f) => ms(f.shift),
    '< 5 ms',
    (f) => Math.abs(f.shift) < 5,
  ),
  line(
    'its level against what was said',
    (f) => db(f.level),
    '± 1 dB',
    (f) => Math.abs(f.level) < 1,
  ),
  line(
    'above 4 kHz (what was said)',
    (f) => (f.isWide ? `${db(f.above4kHz)} (${db(f.above4kHzSaid)})` : 'none: 8 kHz'),
    'G.722: ± 3 dB',
    (f) => (f.isWide ? Math.abs(f.above4kHz - f.above4kHzSaid) < 3 : f.above4kHz === -Infinity),
  ),
  line(
    'packets heard, p50 / p99 / longest gap',
    (f) => `${f.packetGapMedian.toFixed(1)} / ${f.packetGap99.toFixed(1)} / ${ms(f.packetGapLongest)}`,
    'p50 20 ± 1',
    (f) => Math.abs(f.packetGapMedian - 20) < 1,
  ),
  line(
    'packets lost',
    (f) => String(f.packetsLost),
    '0',
    (f) => f.packetsLost === 0,
  ),
  line(
    'packets of the utterance',
    (f) => `${f.packetsOfUtterance} of ${f.packetsExpected}`,
    'all, without a pause',
    (f) => f.packetsOfUtterance === f.packetsExpected && f.spurts === 3,
  ),
  line(
    'of these with the very bytes sent',
    (f) => (f.isWide ? 'none: transcoded' : `${f.packetsIdentical} of ${f.packetsExpected}`),
    'PCMU: all',
    (f) => f.isWide || f.packetsIdentical === f.packetsExpected,
  ),
  { what: 'pause without packets while idle', shown: (f) => ms(f.idlePause) },
  line(
    'mark after the last packet heard',
    (f) => ms(f.markAfterLastPacket),
    '-5 to 100 ms',
    (f) => f.markAfterLastPacket > -5 && f.markAfterLastPacket < 100,
  ),
  line(
    'flush to the last packet heard',
    (f) => ms(f.flushToLastPacket),
    '< 100 ms',
    (f) => f.flushToLastPacket < 100,
  ),
  line(
    'heard of the utterance cut off',
    (f) => `${f.heardOfCut} of ${ms(f.untilFlush)}`,
    '± 100 ms',
    (f) => Math.abs(f.heardOfCut - f.untilFlush) <= 100,
  ),
  { what: 'its mark', shown: (f) => (f.cutMarkCame ? 'came' : 'never came') },
  line(
    'flush to a mark behind it',
    (f) => ms(f.emptyMarkAfterFlush),
    '< 100 ms',
    (f) => f.emptyMarkAfterFlush < 100,
  ),
  line(
    'digit',
    (f) => `${f.digitHeard} (${f.digits} times)`,
    'once',
    (f) => f.digitHeard === f.digit && f.digits === 1,
  ),
  line(
    'end of the digit to its event',
    (f) => ms(f.digitLatency),
    '< 100 ms',
    (f) => f.digitLatency < 100,
  ),
  line(
    'caller’s words at the media server',
    (f) => f.inCorrelation.toFixed(4),
    '> 0.95',
    (f) => f.inCorrelation > 0.95,
  ),
  line(
    'their worst half second',
    (f) => f.inWorstPiece.toFixed(4),
    '> 0.85',
    (f) => f.inWorstPiece > 0.85,
  ),
  line(
    'their level',
    (f) => db(f.inLevel),
    '± 1 dB',
    (f) => Math.abs(f.inLevel) < 1,
  ),
  { what: 'frames received, p50 / p99 gap', shown: (f) => `${f.inFrameGapMedian.toFixed(1)} / ${ms(f.inFrameGap99)}` },
  line(
    'packet to frame, p50 / p99',
    (f) => `${f.inDelayMedian.toFixed(1)} / ${ms(f.inDelay99)}`,
    'p50 < 10 ms',
    (f) => f.inDelayMedian < 10,
  ),
  { what: 'Asterisk, of one core', shown: (f) => `${f.asteriskCpu.toFixed(1)} %` },
  { what: 'Asterisk, memory', shown: (f) => `${f.asteriskMegabytes.toFixed(0)} MB` },
];

export interface Judgement {
  rows: Record<string, Record<string, string>>;
  broken: string[];
}

export function judge(calls: Readonly<Record<string, Figures>>): Judgement {
  const rows: Judgement['rows'] = {};
  const broken: string[] = [];
  for (const { what, shown, wanted, holds } of lines) {
    const row: Record<string, string> = {};
    for (const [caller, figures] of Object.entries(calls)) {
      row[caller] = shown(figures);
      if (holds && !holds(figures)) broken.push(`${caller}: ${what} is ${shown(figures)}, wanted ${wanted}`);
    }
    rows[what] = { ...row, wanted: wanted ?? '' };
  }
  return { rows, broken };
}

function line(
  what: string,
  shown: (figures: Figures) => string,
  wanted: string,
  holds: (figures: Figures) => boolean,
): Line {
  return { what, shown, wanted, holds };
}

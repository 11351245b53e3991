import { IsBoolean, IsIn, IsInt, Min } from 'class-validator';
import { limits } from '../limits';
import { IntWithin, Text } from '../rules/constraints';
import { Closed, Describe, DescribeObject, Example, Nullable, Optional, Required } from '../rules/decorators';
import { OrganizationName } from './fields';
import { RouteQuery } from './page';

/** `simulated`: JSON of the turns that the simulator spoke, instead of audio. */
export const recordingFormats = ['wav', 'mp3', 'ogg', 'simulated'] as const;
export type RecordingFormat = (typeof recordingFormats)[number];

/** Maximum size of a recording within JSON; encoded in base64, the body stays below 1 MiB. */
export const inlineRecordingBytes = 720 * 1024;

@DescribeObject('The recording of a call as a worker or a media gateway hands it in.')
@Closed(false)
export class RecordingUpload {
  @Required() @IsIn(recordingFormats) format!: RecordingFormat;
  @Required()
  @IntWithin({ min: 0, max: 1_860_000 })
  @Describe('Milliseconds; at most half an hour and a bit, as a media session.')
  duration_ms!: number;
  @Required()
  @Text({
    min: 4,
    max: Math.ceil(inlineRecordingBytes / 3) * 4,
    pattern: /^[A-Za-z0-9+/]+={0,2}$/,
    description: 'base64 with its padding',
  })
  data!: string;
}

/** Maximum of base64 characters of a log; even a call of the maximum duration needs only a fraction of it. */
export const mostInputLogCharacters = 128 * 1024;

@DescribeObject('GET /v1/calls/{call_id}/input-log: what the rules of the call were given, for a replay.')
export class InputLogRecord {
  @Required() @Text() call_id!: string;
  @Required()
  @Text()
  @Describe(
    'base64 of gzip of lines of JSON, as `npm run replay` reads them. Digits are others than were said or pressed.',
  )
  log!: string;
  @Required() @Text() created_at!: string;
}

@DescribeObject('GET /v1/calls/{call_id}/recording.')
export class RecordingRecord {
  @Required() @Text() call_id!: string;
  @Required() @IsIn(recordingFormats) format!: RecordingFormat;
  @Required() @IsBoolean() @Describe('Made by the simulator: there was no sound.') simulated!: boolean;
  @Required() @IsInt() duration_ms!: number;
  @Required() @IsInt() size_bytes!: number;
  @Required() @Text() @Describe('Over the bytes, in hexadecimal.') sha256!: string;
  @Required()
  @Nullable()
  @Text()
  @Describe(
    'The bytes in base64; null for a recording that is longer than 720 KiB. All have their bytes at /recording/audio.',
  )
  data!: string | null;
  @Required() @Text() created_at!: string;
}

@DescribeObject('The lease that the part is written under.')
export class RecordingPartQuery extends RouteQuery {
  @Optional() @IsInt() @Min(1) @Describe('The epoch of the lease; a part without it is 400.') epoch?: number;
}

@DescribeObject('A stored part of a recording.')
export class RecordingPartRecord {
  @Required() @Text() call_id!: string;
  @Required() @IsInt() part!: number;
  @Required() @IsInt() size_bytes!: number;
  @Required() @Text() @Describe('Over the bytes, in hexadecimal.') sha256!: string;
}

/** `mulaw`: G.711 mu-law at 8,000 samples per second in two interleaved channels; the second one is the agent's. */
export const recordingPartFormats = ['mulaw'] as const;

@DescribeObject('What the parts are together.')
export class RecordingComplete extends OrganizationName {
  @Required() @IntWithin({ min: 1, max: limits.recordingParts }) @Describe('How many parts there are.') parts!: number;
  @Required() @IsIn(recordingPartFormats) format!: (typeof recordingPartFormats)[number];
  @Required()
  @IntWithin({ min: 0, max: 1_740_020 })
  @Describe("Milliseconds; those of the parts' bytes, to 20.")
  duration_ms!: number;
  @Required()
  @Text({ min: 64, max: 64, pattern: /^[0-9a-f]{64}$/, description: 'SHA-256 in lower-case hexadecimal' })
  @Describe('Over all parts in order.')
  @Example('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  sha256!: string;
}

@DescribeObject('POST /v1/worker-jobs/{job_id}/recording/complete.')
export class WorkerRecordingComplete extends RecordingComplete {
  @Required() @IsInt() @Min(1) epoch!: number;
  @Optional()
  @IntWithin({ min: 1, max: limits.recordingParts + 1 })
  @Describe('The part from which on `sha256` is. Default: 1.')
  sha256_from?: number;
}

@DescribeObject(
  'A recording whose parts are all here. It can be read once its call is completed; `call.recording.ready` says so.',
)
export class RecordingUploadRecord {
  @Required() @Text() call_id!: string;
  @Required() @IsInt() parts!: number;
  @Required() @IsInt() duration_ms!: number;
  @Required() @IsInt() size_bytes!: number;
  @Required() @Text() @Describe('Over all parts, in hexadecimal.') sha256!: string;
}

@DescribeObject('GET /v1/calls/{call_id}/recording/audio.')
export class RecordingAudioQuery extends RouteQuery {
  @Optional()
  @IsIn(['wav'])
  @Describe('`wav`: mu-law WAVE, decoded if the recording is stored as Ogg Opus. Default: as stored.')
  format?: 'wav';
}

/** The bytes of a recording as response. */
export class RecordingAudio {}

import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { Text } from '../rules/constraints';
import { Describe, Required } from '../rules/decorators';

/** `simulated`: no sound, but JSON of the turns that the simulator spoke; never mistaken for audio. */
export const recordingFormats = ['wav', 'mp3', 'ogg', 'simulated'] as const;
export type RecordingFormat = (typeof recordingFormats)[number];

/** Bytes of a recording: with its base64 a body stays below 1 MiB. */
const mostBytes = 720 * 1024;

/** The recording of a call as a worker or a media gateway hands it in. */
export class RecordingUpload {
  @Required() @IsIn(recordingFormats) format!: RecordingFormat;
  /** Milliseconds; at most half an hour and a bit, as a media session. */
  @Required() @IsInt() @Min(0) @Max(1_860_000) duration_ms!: number;
  @Required()
  @Text({
    min: 4,
    max: Math.ceil(mostBytes / 3) * 4,
    pattern: /^[A-Za-z0-9+/]+={0,2}$/,
    description: 'base64 with its padding',
  })
  data!: string;
}

/** GET /v1/calls/{call_id}/recording. */
export class RecordingRecord {
  @Required() @Text() call_id!: string;
  @Required() @IsIn(recordingFormats) format!: RecordingFormat;
  /** Made by the simulator: there was no sound. */
  @Required() @IsBoolean() simulated!: boolean;
  @Required() @IsInt() duration_ms!: number;
  @Required() @IsInt() size_bytes!: number;
  @Required() @Text() @Describe('Of the bytes, in hexadecimal.') sha256!: string;
  @Required() @Text() @Describe('The bytes in base64.') data!: string;
  @Required() @Text() created_at!: string;
}

import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { RecordingObjectUnreadable } from './recording-store';
import type { RecordingStore } from '../../telephony';

export interface S3Settings {
  /** The URL of an S3-compatible server; undefined: AWS. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const timeoutMs = 10_000;
const fileTimeoutMs = 60_000;

/** Stores objects in a bucket that the operator created, with the operator's rules for encryption, replication and lifecycle. */
export class S3RecordingStore implements RecordingStore {
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Settings) {
    this.bucket = bucket;
    this.client = new S3Client({
      region,
      credentials: { accessKeyId, secretAccessKey },
      // Servers other than AWS rarely support bucket names in host names.
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      // S3-compatible servers need not support the newer checksums of AWS. They are not needed, because the table contains a checksum of every part.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  put(key: string, content: Buffer): Promise<void> {
    return this.putOnce(key, content, AbortSignal.timeout(timeoutMs));
  }

  async putOnce(key: string, content: Buffer, signal: AbortSignal): Promise<void> {
    const command = new PutObjectCommand({
      Bucket: this.bucket,
      Key: key,
      Body: content,
      ContentType: 'application/octet-stream',
    });
    const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(fileTimeoutMs)]);
    await this.client.send(command, { abortSignal });
  }

  async read(key: string, from: number, to: number): Promise<Buffer> {
    const command = new GetObjectCommand({ Bucket: this.bucket, Key: key, Range: `bytes=${from}-${to - 1}` });
    const abortSignal = AbortSignal.timeout(timeoutMs);
    const { Body: body } = await this.client.send(command, { abortSignal }).catch((error: unknown) => {
      throw isMissing(error) ? new RecordingObjectUnreadable(key, 'does not exist', { cause: error }) : error;
    });
    if (body === undefined) throw new RecordingObjectUnreadable(key, 'is empty');
    return Buffer.from(await body.transformToByteArray());
  }

  async delete(key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.bucket, Key: key });
    await this.client.send(command, { abortSignal: AbortSignal.timeout(timeoutMs) });
  }
}

/** Whether an object is missing. A missing bucket does not count as missing objects, because it may only be missing temporarily. */
const isMissing = (error: unknown): boolean => error instanceof S3ServiceException && error.name === 'NoSuchKey';

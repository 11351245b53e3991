/**
 * Captures the packets of one call at the caller's own ports, with timestamps of the kernel: tcpdump on loopback, restricted to Asterisk's ports. sipp can play
 * audio but not record it, so this is its recording; for both callers it provides the timing.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Guard } from '../../processes/guard.mts';
import { StartError } from '../../processes/program.mts';
import type { AsteriskPorts } from '../ports.mts';
import { packetsOf, type Packet } from './packets.mts';

const patienceMs = 5_000;

export class Capture {
  private readonly child: ChildProcess;
  private readonly chunks: Buffer[] = [];
  private packets?: Promise<Packet[]>;

  private constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.on('data', (chunk: Buffer) => this.chunks.push(chunk));
  }

  /** Resolves when packets are being captured. */
  static async start(tcpdump: string, { sip, rtp }: AsteriskPorts, guard: Guard): Promise<Capture> {
    const filter = `udp and (port ${sip} or portrange ${rtp.first}-${rtp.last})`;
    const child = spawn(tcpdump, ['-i', 'lo', '-n', '-p', '-U', '--immediate-mode', '-s', '0', '-w', '-', filter], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (child.pid !== undefined) guard.add(child.pid, 'SIGTERM');
    child.once('exit', () => guard.drop(child.pid ?? 0));
    const capture = new Capture(child);
    let printed = '';
    const listening = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new StartError(`tcpdump did not start: ${printed}`)), patienceMs);
      child.once('error', reject);
      child.once('close', () => reject(new StartError(`tcpdump ended: ${printed}`)));
      child.stderr?.on('data', (text: Buffer) => {
        printed += text.toString();
        if (!printed.includes('listening on')) return;
        clearTimeout(timer);
        resolve();
      });
    });
    try {
      await listening;
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
    return capture;
  }

  /** Stops the capture and returns the packets. Idempotent. */
  stop(): Promise<Packet[]> {
    this.packets ??= this.end();
    return this.packets;
  }

  private async end(): Promise<Packet[]> {
    const closed = once(this.child, 'close');
    this.child.kill('SIGINT');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), patienceMs);
    await closed;
    clearTimeout(timer);
    return packetsOf(Buffer.concat(this.chunks));
  }
}

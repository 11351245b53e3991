/** The Asterisk configuration of the platform: the files of the chart, unchanged, and the values that depend on the installation, for loopback. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AsteriskPorts } from './ports.mts';

const folder = path.resolve(import.meta.dirname, '../../charts/parley/files/asterisk');
const shipped = ['extensions.conf', 'sorcery.conf', 'modules.conf', 'chan_websocket.conf'];

export function platformFiles(ports: AsteriskPorts): Readonly<Record<string, readonly string[]>> {
  const files = shipped.map((name) => [name, readFileSync(path.join(folder, name), 'utf8').split('\n')] as const);
  return {
    ...Object.fromEntries(files),
    'pjsip.conf': [
      ...transport('udp', ports.sip),
      ...transport('tcp', ports.sip),
      '[parley-in]',
      'type = endpoint',
      'transport = parley-udp',
      'context = parley-in',
      'disallow = all',
      'allow = g722,ulaw,alaw',
      'direct_media = no',
      'media_address = 127.0.0.1',
      'bind_rtp_to_media_address = yes',
    ],
  };
}

const transport = (protocol: string, port: number): string[] => [
  `[parley-${protocol}]`,
  'type = transport',
  `protocol = ${protocol}`,
  `bind = 127.0.0.1:${port}`,
  '',
];

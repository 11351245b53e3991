/** The configuration files of Asterisk for one run: it listens only on loopback and reads nothing from the host. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { modules } from './modules.mts';
import type { AsteriskPorts } from './ports.mts';

export interface Settings {
  /** The folder of the unpacked packages. */
  root: string;
  /** The folder of the libraries within `root`. */
  libraries: string;
  /** The folder for configuration, state and log of this run. */
  directory: string;
  /** The address to which chan_websocket connects for each call, for example ws://127.0.0.1:9099/media. */
  mediaUrl: string;
  ports: AsteriskPorts;
  ari: { user: string; password: string };
  /** Files that replace or extend those of the trial, as lists of lines by file name. */
  files?: Readonly<Record<string, readonly string[]>>;
}

/** Writes the files. @returns the path of the main file */
export function writeConfiguration(settings: Settings): string {
  const etc = path.join(settings.directory, 'etc');
  for (const name of ['etc', 'lib', 'spool', 'cache', 'log']) {
    mkdirSync(path.join(settings.directory, name), { recursive: true, mode: 0o700 });
  }
  const files = { ...mainFiles(settings, etc), ...telephony(settings), ...http(settings), ...quiet, ...settings.files };
  for (const [name, lines] of Object.entries(files)) {
    writeFileSync(path.join(etc, name), `${lines.join('\n')}\n`, { mode: 0o600 });
  }
  return path.join(etc, 'asterisk.conf');
}

type Files = Record<string, readonly string[]>;

function mainFiles({ root, libraries, directory }: Settings, etc: string): Files {
  const own = (name: string): string => path.join(directory, name);
  const packaged = (name: string): string => path.join(root, name);
  const folders = {
    astetcdir: etc,
    astmoddir: path.join(libraries, 'asterisk/modules'),
    astdatadir: packaged('usr/share/asterisk'),
    astsbindir: packaged('usr/sbin'),
    astvarlibdir: own('lib'),
    astdbdir: own('lib'),
    astkeydir: own('lib'),
    astagidir: own('lib'),
    astspooldir: own('spool'),
    astcachedir: own('cache'),
    astlogdir: own('log'),
    astrundir: directory,
  };
  return {
    'asterisk.conf': [
      '[directories]',
      ...Object.entries(folders).map(([name, folder]) => `${name} => ${folder}`),
      '[options]',
      'nocolor = yes',
    ],
    'modules.conf': ['[modules]', 'autoload = no', ...modules.map((name) => `require = ${name}.so`)],
    'logger.conf': ['[general]', '[logfiles]', 'console => warning,error', 'messages => notice,warning,error,verbose'],
  };
}

function telephony({ mediaUrl, ports }: Settings): Files {
  return {
    'pjsip.conf': [
      '[loopback]',
      'type = transport',
      'protocol = udp',
      `bind = 127.0.0.1:${ports.sip}`,
      '',
      '[caller]',
      'type = endpoint',
      'transport = loopback',
      'context = incoming',
      'disallow = all',
      'allow = g722,ulaw',
      'direct_media = no',
      'media_address = 127.0.0.1',
      // Otherwise RTP is received on every address of the machine.
      'bind_rtp_to_media_address = yes',
      'timers = no',
      '',
      '[callers]',
      'type = identify',
      'endpoint = caller',
      'match = 127.0.0.1',
    ],
    'rtp.conf': [
      '[general]',
      `rtpstart = ${ports.rtp.first}`,
      `rtpend = ${ports.rtp.last}`,
      'icesupport = no',
      // sipp sends digits and speech from different ports.
      'strictrtp = no',
    ],
    'websocket_client.conf': [
      '[parley]',
      'type = websocket_client',
      `uri = ${mediaUrl}`,
      'protocols = media',
      'connection_type = per_call_config',
      'connection_timeout = 500',
      'reconnect_attempts = 2',
      'tls_enabled = no',
    ],
    // The older text format of control messages is deprecated and contains less information.
    'chan_websocket.conf': ['[global]', 'control_message_format = json'],
    'extensions.conf': [
      '[incoming]',
      'exten => _X.,1,Answer()',
      // Linear audio at 16 kHz for a wideband call, so that nothing here has to decode G.722. Otherwise the telephone's own format.
      ' same => n,Set(FORMAT=${IF($["${CHANNEL(audionativeformat)}" = "(g722)"]?slin16:ulaw)})',
      ' same => n,Dial(WebSocket/parley/c(${FORMAT})v(call_id=${EXTEN}))',
      ' same => n,Hangup()',
    ],
  };
}

function http({ ports, ari }: Settings): Files {
  return {
    'http.conf': ['[general]', 'enabled = yes', 'bindaddr = 127.0.0.1', `bindport = ${ports.http}`],
    'ari.conf': ['[general]', 'enabled = yes', '', `[${ari.user}]`, 'type = user', `password = ${ari.password}`],
    'manager.conf': ['[general]', 'enabled = no'],
  };
}

/** Empty files, because Asterisk would report their absence as an error. */
const quiet: Files = {
  'acl.conf': [],
  'ccss.conf': ['[general]'],
  'cdr.conf': ['[general]', 'enable = no'],
  'cel.conf': ['[general]', 'enable = no'],
  'features.conf': ['[general]'],
  'indications.conf': [
    '[general]',
    'country = us',
    '[us]',
    'description = United States',
    'ring = 440+480/2000,0/4000',
  ],
  'pjproject.conf': [],
  'stasis.conf': ['[threadpool]', 'initial_size = 5'],
  'udptl.conf': ['[general]'],
};

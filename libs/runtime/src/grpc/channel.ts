import { Channel } from '@grpc/grpc-js';
import type { ServiceName } from '../identity/access';
import { identityHost } from '../identity/certificates';
import type { ServiceIdentity } from '../identity/service-identity';
import { MAX_MESSAGE_BYTES } from './limits';
import { isIPv4 } from 'node:net';

/**
 * The gRPC target for an address. A single `host:port` is resolved by name. A list of IPv4 addresses separated by commas (localhost counts as one) becomes one
 * target with several addresses. `dns:///name:port` and other schemes are used unchanged.
 * @throws Error for a list that contains a name; for a name with several replicas use dns:///
 */
export function targetOf(address: string): string {
  const parts = address.split(',').map((part) => part.trim());
  if (parts.length === 1) return parts[0] ?? '';
  const addresses = parts.map((part) => {
    const [host = '', port = ''] = part.split(':');
    const ip = host === 'localhost' ? '127.0.0.1' : host;
    if (!isIPv4(ip) || !/^\d+$/.test(port)) throw new Error(`not an IPv4 address with a port: ${part}`);
    return `${ip}:${port}`;
  });
  return `ipv4:${addresses.join(',')}`;
}

export interface Closable {
  close(): void;
}

/** The flow-control window. It is large enough for responses that arrive at the same time, such as pages of lists. The default would be 64 KiB. */
const WINDOW_BYTES = 1024 * 1024;

/** The options of all channels to other services: round robin over the addresses, and a keepalive every ten seconds. */
const channelOptions = {
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.service_config_disable_resolution': 1,
  'grpc.enable_channelz': 0,
  'grpc.enable_http_proxy': 0,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  'grpc-node.flow_control_window': WINDOW_BYTES,
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
};

/**
 * A channel to a service. Its connection is established at the first call, and again after it breaks.
 * @param address `host:port`, `127.0.0.1:1,127.0.0.1:2` or `dns:///name:port`; calls alternate between all addresses (round robin)
 * @param server the service whose certificate the other end must have
 */
export const channelTo = (address: string, server: ServiceName, identity: ServiceIdentity): Channel =>
  new Channel(targetOf(address), identity.channelCredentials(), {
    ...channelOptions,
    'grpc.ssl_target_name_override': identityHost(server),
  });

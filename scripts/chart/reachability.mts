/**
 * Evaluates the NetworkPolicies of a rendered chart without a cluster: the semantics of networking.k8s.io/v1 for pods and addresses. Supports what the chart
 * uses: podSelector and namespaceSelector with matchLabels, ipBlock, named and numbered ports. Throws for anything else, so that no rule is silently ignored.
 */
import { BlockList, isIP } from 'node:net';
import type { Manifest } from './render.mts';

type Labels = Readonly<Record<string, string>>;

/** A pod, or an address outside the cluster, which has no labels and no namespace. */
export interface Place {
  readonly name: string;
  readonly address: string;
  readonly namespace?: string;
  readonly labels?: Labels;
  /** The named ports of the pod. */
  readonly ports?: Readonly<Record<string, number>>;
}

interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: unknown;
}
interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}
interface PortRule {
  readonly port?: number | string;
  readonly endPort?: number;
  readonly protocol?: string;
}
interface Rule {
  readonly ports?: readonly PortRule[];
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
}
interface Policy {
  readonly podSelector: Selector;
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

/** The labels that Kubernetes adds to each namespace. */
const labelsOfNamespace = (name: string): Labels => ({ 'kubernetes.io/metadata.name': name });

function fits(selector: Selector, labels: Labels): boolean {
  if (selector.matchExpressions !== undefined) throw new Error('matchExpressions are not evaluated here');
  return Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels[name] === value);
}

const lists = new Map<string, BlockList>();

function lies(address: string, cidr: string): boolean {
  const [network = '', bits = ''] = cidr.split('/');
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(address) !== isIP(network)) return false;
  const list = lists.get(cidr) ?? new BlockList();
  if (!lists.has(cidr)) list.addSubnet(network, Number(bits), family);
  lists.set(cidr, list);
  return list.check(address, family);
}

function isPeer(peer: Peer, place: Place, home: string): boolean {
  if (peer.ipBlock !== undefined) {
    const { cidr, except = [] } = peer.ipBlock;
    const stray = except.find((block) => !lies(block.split('/')[0] ?? '', cidr));
    if (stray !== undefined) throw new Error(`Kubernetes refuses ${stray} as an exception of ${cidr}`);
    return lies(place.address, cidr) && !except.some((block) => lies(place.address, block));
  }
  if (place.namespace === undefined || place.labels === undefined) return false;
  const inNamespace =
    peer.namespaceSelector === undefined
      ? place.namespace === home
      : fits(peer.namespaceSelector, labelsOfNamespace(place.namespace));
  return inNamespace && fits(peer.podSelector ?? {}, place.labels);
}

/** Named ports refer to the destination pod, also in an egress rule. */
function isPort(rule: PortRule, target: Place, port: number, protocol: string): boolean {
  if (rule.endPort !== undefined) throw new Error('endPort is not evaluated here');
  if ((rule.protocol ?? 'TCP') !== protocol) return false;
  if (rule.port === undefined) return true;
  return (typeof rule.port === 'string' ? target.ports?.[rule.port] : rule.port) === port;
}

/** Returns a function that decides whether the egress rules of the source and the ingress rules of the destination allow a connection. */
export function reachability(manifests: readonly Manifest[], home: string) {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as unknown);
  const over = (place: Place, type: 'Ingress' | 'Egress'): Policy[] =>
    place.namespace !== home
      ? []
      : (policies as Policy[]).filter(
          ({ podSelector, policyTypes }) => policyTypes.includes(type) && fits(podSelector, place.labels ?? {}),
        );
  const lets = (rules: readonly Rule[] | undefined, peer: Place, target: Place, port: number, protocol: string) =>
    (rules ?? []).some(({ ports, from, to }) => {
      const peers = from ?? to;
      return (
        (ports === undefined || ports.some((rule) => isPort(rule, target, port, protocol))) &&
        (peers === undefined || peers.some((one) => isPeer(one, peer, home)))
      );
    });
  return (source: Place, target: Place, port: number, protocol = 'TCP'): boolean => {
    const leaving = over(source, 'Egress');
    const entering = over(target, 'Ingress');
    return (
      (leaving.length === 0 || leaving.some(({ egress }) => lets(egress, target, target, port, protocol))) &&
      (entering.length === 0 || entering.some(({ ingress }) => lets(ingress, source, target, port, protocol)))
    );
  };
}

/** Values that people install with: the least, all of it, and each toggle the other way round. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { chart, type Values } from './render.mts';

const example = (name: string): Values => parse(readFileSync(path.join(chart, 'examples', name), 'utf8')) as Values;

export const everything: Values = {
  image: { registry: 'registry.example', digest: `sha256:${'0'.repeat(64)}` },
  imagePullSecrets: ['registry'],
  commonLabels: { team: 'voice' },
  postgresql: { cidrs: ['10.1.0.0/24'] },
  nats: { cidrs: ['10.2.0.0/24'] },
  redis: { cidrs: ['10.3.0.0/24'] },
  tracing: { endpoint: 'http://collector.monitoring:4318' },
  webhooks: { allowedHosts: ['hooks.internal'], allowedCidrs: ['10.4.0.0/24'] },
  platformProviders: ['deepgram', 'openai'],
  tls: {
    authorities: { existingConfigMap: 'authorities' },
    certManager: { enabled: true, issuerRef: { name: 'parley', kind: 'ClusterIssuer' } },
  },
  defaults: {
    env: { FORCE_COLOR: '0' },
    podAnnotations: { note: 'x' },
    podLabels: { tier: 'voice' },
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'voice', operator: 'Exists' }],
    affinity: { podAntiAffinity: {} },
    priorityClassName: 'high',
    autoscaling: { enabled: true },
  },
  services: { gateway: { replicas: 4 }, telephony: { pdb: { maxUnavailable: '25%' } } },
  keda: { enabled: true, prometheusAddress: 'http://prometheus.monitoring:9090' },
  service: { type: 'LoadBalancer', annotations: { note: 'x' } },
  ingress: { enabled: true, className: 'nginx', annotations: { note: 'x' }, host: 'voice.example', tlsSecret: 'tls' },
  publicUrl: 'https://voice.example',
  trustedProxies: 2,
  media: {
    publicUrl: 'wss://media.example',
    origins: ['https://console.example'],
    service: { type: 'LoadBalancer', annotations: { note: 'x' } },
    ingress: {
      enabled: true,
      className: 'nginx',
      annotations: { note: 'x' },
      host: 'media.example',
      tlsSecret: 'media',
    },
    httpRoute: {
      enabled: true,
      annotations: { note: 'x' },
      parentRefs: [{ name: 'edge', namespace: 'gateways', sectionName: 'https' }],
      hostnames: ['media.example'],
    },
  },
  networkPolicy: {
    ingressNamespaces: ['ingress'],
    monitoringNamespace: 'monitoring',
    blockedEgressCidrs: ['203.0.113.0/24'],
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
};

export const matrix: Readonly<Record<string, Values>> = {
  minimal: {},
  everything,
  production: example('values-production.yaml'),
  'trying-out': example('values-trying-out.yaml'),
  'migrations by a plain job': { migrations: { mode: 'job' } },
  'no migrations': { migrations: { mode: 'none' } },
  'no network policies': { networkPolicy: { enabled: false } },
  'no disruption budgets': { defaults: { pdb: { enabled: false } } },
  'no spread': { defaults: { topologySpread: { enabled: false } } },
  'no tests': { tests: { enabled: false } },
  'one service scaled': { services: { gateway: { autoscaling: { enabled: true } } } },
  'engine by processor': { services: { engine: { autoscaling: { enabled: true } } } },
  'keda alone': { keda: { enabled: true, prometheusAddress: 'http://prometheus:9090' } },
  'ingress without tls': { publicUrl: 'http://voice.example', ingress: { enabled: true, host: 'voice.example' } },
  'media without an ingress': { media: { publicUrl: 'wss://media.example' } },
  'monitor alone': { serviceMonitor: { enabled: true } },
  'rules alone': { prometheusRule: { enabled: true } },
  'tracing alone': { tracing: { endpoint: 'http://collector:4318' } },
  'image by tag': { image: { tag: '0.2.0' } },
  'accounts at providers': {
    translation: { provider: 'deepl' },
    secrets: {
      deepl: { existingSecret: 'deepl' },
    },
    providerKeys: {
      elevenlabs: { existingSecret: 'voices', key: 'elevenlabs' },
      openai: { existingSecret: 'voices' },
      openai_compatible: { url: 'http://models.internal/v1' },
    },
    platformProviders: ['elevenlabs', 'openai', 'openai_compatible'],
  },
  'receivers by name': { webhooks: { allowedHosts: ['hooks.internal'] } },
  'certificates by cert-manager': { tls: { certManager: { enabled: true, issuerRef: { name: 'parley' } } } },
  'other authorities': { tls: { secretPrefix: 'mtls', authorities: { existingConfigMap: 'ours', key: 'bundle.pem' } } },
  'other names': { nameOverride: 'voice', fullnameOverride: 'talk' },
  'no grace for endpoints': { defaults: { preStopSeconds: 0 } },
};

import type { Manifest } from './render.mts';

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { secretKeyRef?: { name: string; key: string }; fieldRef?: { fieldPath: string } };
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  readonly securityContext?: Record<string, unknown>;
  readonly lifecycle?: { readonly preStop?: { readonly sleep: { readonly seconds: number } } };
  readonly startupProbe?: object;
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly ports?: readonly { name?: string; containerPort: number }[];
  readonly env?: readonly Variable[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly securityContext?: Record<string, unknown>;
  readonly automountServiceAccountToken?: boolean;
  readonly hostNetwork?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly volumes?: readonly Record<string, unknown>[];
}

/** The pod template of a manifest, if it has one. */
export function podOf(manifest: Manifest): PodSpec | undefined {
  if (manifest.kind === 'Pod') return manifest.spec as PodSpec | undefined;
  const template = manifest.spec?.['template'] as { spec?: PodSpec } | undefined;
  return template?.spec;
}

/** Violations of the rules of a strict platform team, one line each. */
export function policyViolations(manifest: Manifest): string[] {
  const where = `${manifest.kind} ${manifest.metadata.name}`;
  if (manifest.kind === 'Secret') return [`${where}: the chart makes no Secret`];
  const pod = podOf(manifest);
  if (pod === undefined) return [];
  return [...podErrors(pod), ...pod.containers.flatMap((one) => containerErrors(one, manifest.kind))].map(
    (error) => `${where}: ${error}`,
  );
}

function podErrors(pod: PodSpec): string[] {
  const security = pod.securityContext ?? {};
  const errors: string[] = [];
  if (security['runAsNonRoot'] !== true) errors.push('may run as root');
  if ((security['seccompProfile'] as { type?: string } | undefined)?.type !== 'RuntimeDefault')
    errors.push('no seccomp profile');
  if (pod.automountServiceAccountToken !== false) errors.push('mounts a token');
  if (pod.hostNetwork === true) errors.push('uses the network of its node');
  if (pod.volumes?.some((volume) => 'hostPath' in volume)) errors.push('mounts a path of its node');
  return errors;
}

function containerErrors(container: Container, kind: string): string[] {
  const security = container.securityContext ?? {};
  const errors: string[] = [];
  if (/:latest$/.test(container.image) || !/[:@]/.test(container.image)) errors.push('an image that may change');
  if (security['privileged'] === true || security['allowPrivilegeEscalation'] !== false)
    errors.push('may gain privileges');
  if (security['readOnlyRootFilesystem'] !== true) errors.push('writes to its root');
  if (!(security['capabilities'] as { drop?: string[] } | undefined)?.drop?.includes('ALL'))
    errors.push('keeps capabilities');
  if (container.resources?.limits?.['memory'] === undefined) errors.push('no limit of memory');
  if (container.resources?.requests?.['cpu'] === undefined) errors.push('no request of cpu');
  if (kind === 'Deployment') {
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
      if (container[probe] === undefined) errors.push(`no ${probe}`);
    }
  }
  for (const { name, value } of container.env ?? []) {
    if (/(PASSWORD|SECRET|TOKEN|PEPPER|KEYS?|DATABASE_URL)$/.test(name) && value !== undefined)
      errors.push(`${name} in plain text`);
    if (kind !== 'Deployment') continue;
    const mounted = container.volumeMounts?.some(({ mountPath }) => value?.startsWith(`${mountPath}/`));
    if (value?.startsWith('/etc/parley/') && mounted !== true) errors.push(`${name} names a file that is not mounted`);
    // The value of a variable stays for the life of the process; that of a file may change.
    if (/^(DATABASE_URL|TOKEN_PEPPERS|VAULT_KEYS)$/.test(name)) errors.push(`${name} is no file`);
  }
  return errors.map((error) => `${container.name}: ${error}`);
}

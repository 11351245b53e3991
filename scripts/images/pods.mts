/** Changes the rendered chart so that podman can run it on one machine. What Kubernetes does and podman cannot is replaced here, and listed below. */
import { stringify } from 'yaml';
import type { Manifest } from '../chart/render.mts';
import { freePort } from '../processes/free-ports.mts';

interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string } };
}

interface Container {
  name: string;
  image: string;
  env?: Variable[];
  startupProbe?: object;
  livenessProbe?: object;
  readinessProbe?: object;
  lifecycle?: object;
  ports?: object;
  [field: string]: unknown;
}

export interface SecretSource {
  readonly secretName: string;
  /** Which keys are files, and their names. Default: every key, by its name. */
  readonly items?: readonly { readonly key: string; readonly path: string }[];
}

interface Volume {
  name: string;
  secret?: SecretSource;
}

interface PodSpec {
  containers: Container[];
  volumes?: Volume[];
  terminationGracePeriodSeconds?: number;
  [field: string]: unknown;
}

export interface Pod {
  /** The name of the service, such as 'auth'. */
  readonly service: string;
  /** The name of the container in podman. */
  readonly container: string;
  readonly healthPort: number;
  /** The port for clients: HTTP of the gateway, or gRPC. */
  readonly port: number;
  readonly graceSeconds: number;
  readonly yaml: string;
}

/**
 * Returns one pod per Deployment. They differ from the original because the pods share the network of this machine, and podman has neither Services nor probes:
 * ports and addresses are chosen here, and the caller sends the probes. podman 4.3 ends with a null pointer at a Secret that is a volume: `folderOf` writes it to
 * a folder of this machine, which is mounted instead.
 */
export async function podsOf(
  manifests: readonly Manifest[],
  folderOf: (secret: SecretSource) => string,
): Promise<Pod[]> {
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
  const services = deployments.map(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] ?? '');
  const ports = new Map<string, { health: number; own: number }>();
  for (const service of services) ports.set(service, { health: await freePort(), own: await freePort() });
  const internal = await freePort();
  return deployments.map((deployment, index) => {
    const service = services[index] ?? '';
    const chart = specOf(deployment);
    const volumes = chart.volumes?.map(({ name, secret }, n) =>
      secret === undefined ? chart.volumes?.[n] : { name, hostPath: { path: folderOf(secret), type: 'Directory' } },
    );
    const spec = { ...chart, volumes } as PodSpec;
    const { health, own } = ports.get(service) ?? { health: 0, own: 0 };
    const given: Record<string, string> = {
      HEALTH_PORT: String(health),
      PORT: String(own),
      GRPC_PORT: String(own),
      INTERNAL_PORT: String(internal),
      GATEWAY_URL: `https://127.0.0.1:${internal}`,
      ...Object.fromEntries(
        services.map((name) => [
          `${name.replace('-', '_').toUpperCase()}_ADDRESS`,
          `127.0.0.1:${ports.get(name)?.own}`,
        ]),
      ),
    };
    const name = `${deployment.metadata.name}-1`;
    return {
      service,
      container: `${name}-${service}`,
      healthPort: health,
      port: own,
      graceSeconds: spec.terminationGracePeriodSeconds ?? 30,
      yaml: podYaml(name, spec, given),
    };
  });
}

/** The pod of the migrations' Job; its containers exit by themselves. */
export function podOfJob(manifests: readonly Manifest[]): { yaml: string; containers: string[] } {
  const job = manifests.find(({ kind }) => kind === 'Job');
  if (job === undefined) throw new Error('the chart renders no Job');
  const spec = { ...specOf(job), restartPolicy: 'Never' };
  const name = job.metadata.name;
  return { yaml: podYaml(name, spec, {}), containers: spec.containers.map((one) => `${name}-${one.name}`) };
}

/** The pod of `helm test`, with the address at which the gateway listens here. */
export function podOfTest(manifests: readonly Manifest[], gateway: number): { yaml: string; container: string } {
  const pod = manifests.find(({ kind }) => kind === 'Pod');
  if (pod === undefined) throw new Error('the chart renders no test');
  const spec = (pod as { spec?: object }).spec as PodSpec;
  const [container] = spec.containers;
  if (container === undefined) throw new Error('the test has no container');
  const command = (container['command'] as string[]).map((word) =>
    word.startsWith('http://') ? `http://127.0.0.1:${gateway}` : word,
  );
  return {
    yaml: podYaml(pod.metadata.name, { ...spec, containers: [{ ...container, command }] }, {}),
    container: `${pod.metadata.name}-${container.name}`,
  };
}

function specOf(manifest: Manifest): PodSpec {
  return (manifest.spec?.['template'] as { spec: PodSpec }).spec;
}

function podYaml(name: string, spec: PodSpec, given: Readonly<Record<string, string>>): string {
  const containers = spec.containers.map(
    ({ startupProbe: _s, livenessProbe: _l, readinessProbe: _r, lifecycle: _c, ports: _p, ...container }) => ({
      ...container,
      imagePullPolicy: 'Never',
      env: container.env?.map((one) =>
        given[one.name] === undefined ? one : { name: one.name, value: given[one.name] },
      ),
    }),
  );
  const { serviceAccountName: _a, topologySpreadConstraints: _t, ...rest } = spec;
  return stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { ...rest, hostNetwork: true, containers },
  });
}

// Stand-in for the kubelet's mounts of the Secrets that our agent may have: writes their data as files.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IDENTITY_WORK } from '../../../crds/hub/agent-identity.ts';
import { PROXY_CA, PROXY_SECRET, PROXY_URL } from '../../../crds/join/site-proxy.ts';
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../kube/client.ts';
import { keyText } from '../../../kube/resource.ts';
import { cache } from '../../../kube/watch/cache.ts';
import { partQueue, type OnPartProblem, type StandIn } from './stand-in.ts';

/** The chart's default for addon.installNamespace. */
const NAMESPACE = 'open-cluster-management-agent-addon';

export function identityMount(kube: Kube, onProblem: OnPartProblem, folder: string): StandIn {
  return mount(kube, onProblem, {
    name: 'identity',
    // With the short id of the hub; a site of this stack has one hub.
    isMounted: (secret) => secret.startsWith(`${IDENTITY_WORK}-`),
    files: ['ca.crt', 'token'],
    folder,
  });
}

export function proxyMount(kube: Kube, onProblem: OnPartProblem, folder: string): StandIn {
  return mount(kube, onProblem, {
    name: 'proxy',
    isMounted: (secret) => secret === PROXY_SECRET,
    files: [PROXY_CA, PROXY_URL],
    folder,
  });
}

interface Mount {
  readonly name: string;
  readonly isMounted: (secret: string) => boolean;
  /** What its reader waits for comes last. */
  readonly files: readonly string[];
  readonly folder: string;
}

/** A file is replaced as a whole, so that nobody reads half of it. */
function mount(kube: Kube, onProblem: OnPartProblem, { name, isMounted, files, folder }: Mount): StandIn {
  const secrets = cache<Secret>(kube, {
    resource: SECRET,
    namespace: NAMESPACE,
    onProblem: (error) => onProblem(name, error),
  });
  const queue = partQueue({
    name,
    onProblem,
    after: [secrets.synced],
    work: async (key) => {
      const data = secrets.get(key)?.data ?? {};
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const file of files) await keep(join(folder, file), data[file]);
    },
  });
  const unsubscribe = secrets.subscribe(({ object: { metadata } }) => {
    if (isMounted(metadata.name)) queue.add(keyText({ namespace: NAMESPACE, name: metadata.name }));
  });
  return {
    synced: secrets.synced,
    stop: async () => {
      unsubscribe();
      await Promise.all([queue.stop(), secrets.stop()]);
    },
  };
}

async function keep(file: string, base64: string | undefined): Promise<void> {
  if (base64 === undefined) return rm(file, { force: true });
  await writeFile(`${file}.next`, Buffer.from(base64, 'base64'), { mode: 0o600 });
  await rename(`${file}.next`, file);
}

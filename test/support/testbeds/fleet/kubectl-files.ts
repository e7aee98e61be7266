// What kubectl makes of a file on a test's API server, and live objects without what differs between two of
// them.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { BUNDLE_MANIFEST } from '../../../../crds/labels.ts';
import { PLACE } from '../../corpus/public/file.ts';

export interface Answer {
  /** Null if kubectl has taken all of the file. */
  readonly refusal: string | null;
  readonly output: string;
}

export interface KubectlFiles {
  /** As `kubectl apply -f`, once more while a definition in the file is not served yet. */
  apply(file: string): Promise<Answer>;
  /** As `kubectl create --dry-run=server -f`. */
  tryOut(file: string): Promise<Answer>;
  /** The live objects of a file that is in a namespace, as `neutral`. Rejects with kubectl's own words. */
  live(file: string, namespace: string): Promise<object[]>;
}

export function kubectlFiles(kubeconfig: string): KubectlFiles {
  const run = async (args: readonly string[], file: string): Promise<Answer> => {
    const child = spawn('kubectl', [...args, '-f', '-', `--kubeconfig=${kubeconfig}`], { stdio: 'pipe' });
    child.stdin.end(file);
    const code = new Promise<number | null>((done) => child.once('exit', done));
    const [output, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { refusal: (await code) === 0 ? null : said, output };
  };
  return {
    apply: async (file) => {
      const first = await run(['apply'], file);
      return first.refusal?.includes('ensure CRDs are installed first') === true
        ? run(['apply'], file)
        : first;
    },
    tryOut: (file) => run(['create', '--dry-run=server'], file),
    live: async (file, namespace) => {
      const { refusal, output } = await run(['get', '-o', 'json'], file);
      if (refusal !== null) throw new Error(refusal);
      const found = JSON.parse(output) as { readonly items?: readonly Live[] } & Live;
      return (found.items ?? [found]).map((one) => neutral(one, namespace));
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;
interface Live extends Fields {
  readonly kind: string;
  readonly metadata: Fields & { readonly uid: string; readonly annotations?: Fields };
  readonly spec?: Fields & { readonly ports?: readonly Fields[] };
}

/** What a server gives to each object by itself, and who applied it. */
const OWN = ['creationTimestamp', 'generation', 'managedFields', 'ownerReferences', 'resourceVersion', 'uid'];
const RECORDS = ['kubectl.kubernetes.io/last-applied-configuration', BUNDLE_MANIFEST];
/** Of a Service: each has others. */
const GIVEN = ['clusterIP', 'clusterIPs', 'healthCheckNodePort'];

function neutral({ status: _status, metadata, spec, ...rest }: Live, namespace: string): object {
  const annotations = without(metadata.annotations ?? {}, RECORDS);
  const meta = { ...without(metadata, [...OWN, 'annotations']), annotations };
  const isService = rest.kind === 'Service' && spec !== undefined;
  const object = {
    ...rest,
    metadata: meta,
    ...(spec === undefined ? {} : { spec: isService ? ofService(spec) : spec }),
  };
  const named = JSON.stringify(object)
    .replaceAll(namespace, PLACE)
    .replaceAll(metadata.uid, 'uid')
    .replaceAll(/kube-api-access-\w{5}/g, 'kube-api-access');
  return JSON.parse(named) as object;
}

function ofService(spec: NonNullable<Live['spec']>): Fields {
  const isHeadless = spec['clusterIP'] === 'None';
  const ports = spec.ports?.map((one) => without(one, ['nodePort']));
  return { ...without(spec, GIVEN), isHeadless, ...(ports === undefined ? {} : { ports }) };
}

export function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

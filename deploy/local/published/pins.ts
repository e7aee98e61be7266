// What others publish for a site, pinned: the local stack and the site base (deploy/join/base) install the
// same bytes. Nothing of it is in the repository.

/** A file of manifests, as its publisher keeps it in a public repository at one commit. */
export interface Published {
  /** What it is called in a folder or on a mirror that somebody gives. */
  readonly file: string;
  /** The Go module whose archive has it as well, which go.sum pins (deploy/local/programs/go/published). */
  readonly module: string;
  /** `owner/name` on GitHub. */
  readonly repository: string;
  /** Of the module's version. */
  readonly commit: string;
  readonly folder: string;
  readonly name: string;
  readonly sha256: string;
}

/** Knative Serving's, and that of the Go module `knative.dev/serving` that the local stack runs: 0.50. */
export const KNATIVE_VERSION = '1.23.0';
export const CERT_MANAGER_VERSION = '1.18.0';

const OPERATOR = {
  module: 'knative.dev/operator',
  repository: 'knative/operator',
  commit: '8f004985af79024f25b9e6014da1a4c22bf48182',
} as const;
const SERVING = {
  module: 'knative.dev/serving',
  repository: 'knative/serving',
  commit: '7ed4aa2ab601e3a33c6552285f6e0d910747351d',
} as const;
/** Knative's operator carries the released manifests of each version, with the digests of their images. */
const RELEASES = 'cmd/operator/kodata';
const OF_SERVING = `${RELEASES}/knative-serving/${KNATIVE_VERSION}`;

export const PUBLISHED = {
  serving: {
    ...OPERATOR,
    file: `knative-serving-${KNATIVE_VERSION}.yaml`,
    folder: OF_SERVING,
    name: '2-serving-core.yaml',
    sha256: 'be3f16c9c0ac9276cc173ef04871aaeac78537f9edb116310caa02f016e9cbc2',
  },
  hpa: {
    ...OPERATOR,
    file: `knative-serving-hpa-${KNATIVE_VERSION}.yaml`,
    folder: OF_SERVING,
    name: '3-serving-hpa.yaml',
    sha256: '07d412839ff834de8a14903d51175383d8f3f1d682805325840493f165eef53b',
  },
  kourier: {
    ...OPERATOR,
    file: `net-kourier-${KNATIVE_VERSION}.yaml`,
    folder: `${RELEASES}/ingress/1.23/kourier`,
    name: 'kourier.yaml',
    sha256: 'cded0c3c1d7669b1aa9f7484234b454ff3940a2b54a27d5ec4825c2d4003d01d',
  },
  certManager: {
    ...SERVING,
    file: `cert-manager-${CERT_MANAGER_VERSION}.yaml`,
    folder: 'third_party/cert-manager-latest',
    name: 'cert-manager.yaml',
    sha256: 'b77844d683952ce529ea5f4ec249d32851a75a2819662ecc1d171ee218a51c56',
  },
} as const satisfies Readonly<Record<string, Published>>;

/** Where it can be fetched: these bytes, whatever becomes of a branch or a tag. */
export function addressOf({ repository, commit, folder, name }: Published): string {
  return `https://raw.githubusercontent.com/${repository}/${commit}/${folder}/${name}`;
}

/** The folders of Go modules that hold them, each once. */
export function foldersOf(): readonly { readonly module: string; readonly folder: string }[] {
  const all: readonly Published[] = Object.values(PUBLISHED);
  const folders = new Map(all.map(({ module, folder }) => [`${module} ${folder}`, { module, folder }]));
  return [...folders.values()];
}

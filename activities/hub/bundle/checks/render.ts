// The work with the Jobs that check a Bundle on one site. Pure.
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import {
  BUNDLE_MANIFEST,
  BUNDLE_NAME,
  BUNDLE_NAMESPACE,
  BUNDLE_REVISION,
  CHECKS_OF,
  MANAGED_BY,
  MANAGED_BY_HUB,
  VERIFY,
} from '../../../../crds/labels.ts';
import { bundleKey } from '../../../../crds/ocm/bundle-work.ts';
import { checkWorkName } from '../../../../crds/ocm/check-work.ts';
import {
  MANIFEST_WORK,
  WORK_FINALIZER,
  type Manifest,
  type ManifestConfig,
  type ManifestWork,
} from '../../../../crds/ocm/ocm.ts';
import {
  isByJob,
  jobSecondsOf,
  type CheckByJob,
  type StageCheck,
} from '../../../../crds/verification/job.ts';
import { writtenAs } from '../../../../crds/written.ts';
import type { VerifyAsk } from '../../../../workflows/stages/types.ts';
import { carriedOf, type Carried, type Refusal } from '../manifests/manifests.ts';
import { identifierOf } from '../manifests/identify.ts';
import { pruned } from '../manifests/pruned.ts';
import { contentAsCached, executor, type Terms } from '../manifests/render.ts';
import { rulesOf } from '../manifests/work-rules.ts';
import { CHECKING_JOB } from '../ready/workloads.ts';
import { ofKind } from '../ready/ready-rules.ts';
import { askedBy, askKey, textOf, type AskedOfJobs } from '../../../../crds/verification/asked-of-jobs.ts';

/** As whose fields the work agent applies the Jobs. */
const MANAGER = 'work-agent-bundle-checks';

/** Characters of the names of a Bundle and of a check in the name of a Job, which has 63 at most. */
const LONGEST_PART = 24;

/** It names the question and the check, so that another revision and another try run another Job. */
export function jobName(
  { metadata: { name, uid = '' } }: Pick<Bundle, 'metadata'>,
  check: string,
  asked: AskedOfJobs,
): string {
  const part = (text: string): string => text.replaceAll('.', '-').slice(0, LONGEST_PART);
  return `${part(name)}-${part(check)}-${askKey(uid, asked, check)}`;
}

/** Written at a time in milliseconds since the epoch; or why it cannot be. */
export function renderChecks(
  bundle: Bundle,
  terms: Terms,
  ask: VerifyAsk,
  at: number,
): ManifestWork | Refusal {
  const asked = askedBy(ask);
  const checks = (JSON.parse(ask.checks) as StageCheck[]).filter(isByJob);
  const carried = carriedOf(
    checks.map((check) => ({
      value: jobOf(bundle, check, asked),
      where: `The Job of check ${check.name}`,
      version: null,
    })),
  );
  if ('reason' in carried) return carried;
  const { namespace = '', name } = bundle.metadata;
  const manifests = carried.carried.map(shippedAs);
  const spec: NonNullable<ManifestWork['spec']> = {
    workload: { manifests },
    manifestConfigs: carried.carried.map(configOf),
    deleteOption: { propagationPolicy: 'Foreground' },
    ...executor(terms, namespace),
  };
  const written = { revision: askKey(bundle.metadata.uid ?? '', asked), at, rules: rulesOf({ spec }) };
  return {
    apiVersion: MANIFEST_WORK.apiVersion,
    kind: MANIFEST_WORK.kind,
    metadata: {
      name: checkWorkName({ namespace, name }),
      namespace: ask.cluster,
      finalizers: [WORK_FINALIZER],
      labels: { [CHECKS_OF]: bundleKey({ namespace, name }), [MANAGED_BY]: MANAGED_BY_HUB },
      annotations: {
        [BUNDLE_NAMESPACE]: namespace,
        [BUNDLE_NAME]: name,
        [BUNDLE_REVISION]: writtenAs({ ...written, content: contentAsCached(manifests) }),
        [VERIFY]: textOf(asked),
      },
    },
    spec,
  };
}

function jobOf(bundle: Bundle, check: CheckByJob, asked: AskedOfJobs): Manifest {
  const { metadata = {}, spec = {} } = check.job.template;
  return pruned({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...metadata,
      name: jobName(bundle, check.name, asked),
      namespace: check.job.namespace ?? bundle.metadata.namespace ?? '',
    },
    spec: { ...spec, activeDeadlineSeconds: jobSecondsOf(check) },
  });
}

function shippedAs({ manifest, token }: Carried): Manifest {
  const { metadata } = manifest;
  const annotations = { ...metadata.annotations, [BUNDLE_MANIFEST]: token };
  return { ...manifest, metadata: { ...metadata, annotations } };
}

function configOf({ manifest, token }: Carried): ManifestConfig {
  return {
    resourceIdentifier: identifierOf(manifest, {}),
    updateStrategy: {
      type: 'ServerSideApply',
      serverSideApply: { force: false, fieldManager: MANAGER },
    },
    ...ofKind(CHECKING_JOB, token),
  };
}

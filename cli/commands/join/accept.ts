// `cappstan accept`: a person accepts a cluster that came without a token for it. It writes what `clusteradm
// accept` writes: the approval of the agent's certificate request, and hubAcceptsClient.
import { tokenOfUser } from '../../../crds/join/bootstrap-token.ts';
import {
  approvalOf,
  isOfAgent,
  SIGNING_REQUEST,
  stateOfRequest,
  unfitness,
  type SigningRequest,
} from '../../../crds/join/signing-request.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import type { ConnectedHub } from '../../hub/connection/hub.ts';
import { boundRequester, readRequests } from '../../hub/objects/joins.ts';
import { acting, onHub, type CommandCall, type Program } from '../command.ts';
import { refuseFormer } from './former.ts';

interface Flags {
  readonly request?: string;
  readonly reuseName?: true;
}

const FIELD_MANAGER = { fieldManager: 'kubectl-capp' } as const;

export function addAccept(program: Program): void {
  onHub(program.root.command('accept'))
    .description('accept a cluster that has registered without a token for it (for operators)')
    .argument('<cluster>', 'the name under which it has registered')
    .option('--request <name>', 'which certificate request, if there are several')
    .option(
      '--reuse-name',
      'although an agent of a former cluster of this name may have a certificate, which is good again then',
    )
    .action(acting<Flags>(program, accept));
}

async function accept({ args, flags, hub, terminal }: CommandCall<Flags>): Promise<Exit> {
  const [cluster = ''] = args;
  const known = await hub.kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: cluster });
  if (known === null)
    throw new CommandFailure(
      'notFound',
      `The hub has no ManagedCluster ${cluster}. cappstan joins lists who asks.`,
    );
  if (known.metadata.deletionTimestamp !== undefined)
    throw new CommandFailure(
      'failed',
      `${cluster} is being deleted on the hub. Accept it when it has registered again.`,
    );
  if (flags.reuseName !== true) await refuseFormer(hub, cluster, known);
  const request = await chosen(hub, cluster, flags.request);
  if (request !== null) await approve(hub, request);
  const isNew = known.spec?.hubAcceptsClient !== true;
  if (isNew) await letIn(hub, known);
  const who = request === null ? '' : `, and the certificate that ${request.spec?.username ?? ''} asks for`;
  if (!isNew && request === null) terminal.out(`${cluster} is accepted already, and nobody asks for it.`);
  else terminal.out(`Accepted ${cluster}${who}. cappstan joins shows how far it is.`);
  if (isNew && request === null)
    terminal.note('No agent has asked for a certificate yet: accept it once more when one has.');
  return 'done';
}

/** Null: nobody waits. Throws CommandFailure for a request that no agent of the cluster makes. */
async function chosen(
  hub: ConnectedHub,
  cluster: string,
  named: string | undefined,
): Promise<SigningRequest | null> {
  const pending = (await readRequests(hub, cluster)).filter(
    (request) => stateOfRequest(request) === 'Pending' && !isOfAgent(request, cluster),
  );
  const of = ({ metadata, spec }: SigningRequest): string => `${metadata.name} of ${spec?.username ?? ''}`;
  const found = named === undefined ? pending : pending.filter(({ metadata }) => metadata.name === named);
  if (named !== undefined && found.length === 0)
    throw new CommandFailure(
      'notFound',
      `No request ${named} for ${cluster} waits. ${waiting(pending.map(of))}`,
    );
  const [request] = found;
  if (request === undefined) return null;
  if (found.length > 1)
    throw new CommandFailure(
      'usage',
      `Several ask for ${cluster}: ${found.map(of).join(', ')}. Say which with --request, and deny the others: kubectl certificate deny <name>.`,
    );
  await refuseUnfit(hub, cluster, request);
  return request;
}

function waiting(requests: readonly string[]): string {
  return requests.length === 0
    ? 'Nor does another one: cappstan joins shows how far it is.'
    : `Say one that does with --request: ${requests.join(', ')}.`;
}

async function refuseUnfit(hub: ConnectedHub, cluster: string, request: SigningRequest): Promise<void> {
  const { name } = request.metadata;
  const denial = `To refuse it: kubectl certificate deny ${name}.`;
  const username = request.spec?.username ?? '';
  const isBootstrap =
    tokenOfUser(username) !== null ||
    /^system:serviceaccount:open-cluster-management:[a-z-]*bootstrap[a-z-]*$/.test(username);
  if (!isBootstrap)
    throw new CommandFailure(
      'failed',
      `${name} is of ${username}, who has come with no token for joining. If you know who it is: kubectl certificate approve ${name}. ${denial}`,
    );
  const unfit = unfitness(request, cluster);
  if (unfit !== null)
    throw new CommandFailure(
      'failed',
      `${name} of ${username} asks ${unfit}. It is not what an agent of ${cluster} asks for. ${denial}`,
    );
  const isFor = await boundRequester(hub, request);
  if (isFor !== null && isFor !== cluster)
    throw new CommandFailure(
      'failed',
      `${name} of ${username} came with a token for ${isFor}, and asks for ${cluster}. ${denial}`,
    );
}

async function approve({ kube }: ConnectedHub, request: SigningRequest): Promise<void> {
  await kube.patch(
    SIGNING_REQUEST,
    { namespace: null, name: request.metadata.name },
    approvalOf(request, 'CappstanAccept', 'This was approved by cappstan accept'),
    { subresource: 'approval', ...FIELD_MANAGER },
  );
}

/** Exactly the cluster that was read. */
async function letIn(
  { kube }: ConnectedHub,
  { metadata: { name, uid, resourceVersion } }: ManagedCluster,
): Promise<void> {
  await kube.patch(
    MANAGED_CLUSTER,
    { namespace: null, name },
    { metadata: { uid, resourceVersion }, spec: { hubAcceptsClient: true } },
    FIELD_MANAGER,
  );
}

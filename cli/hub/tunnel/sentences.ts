// What keeps a person from a kubeconfig of a site, in one sentence and an exit code. Pure.
import { CommandFailure } from '../../exit.ts';

const ELSE = 'Everything else works (docs/logs.md).';

export function noTunnel(site: string): CommandFailure {
  return new CommandFailure(
    'notFound',
    `There is no direct way to ${site}: it has no add-on cluster-proxy. kubectl capp sites lists the sites; whoever runs the hub can install it. ${ELSE}`,
  );
}

export function noAccounts(site: string): CommandFailure {
  return new CommandFailure(
    'notFound',
    `The hub does not know ManagedServiceAccounts, so nobody has an account on ${site} through it: whoever runs the hub can install managed-serviceaccount. ${ELSE}`,
  );
}

/** `account` is null where the person has named none. */
export function noAccount(site: string, account: string | null): CommandFailure {
  const which =
    account === null ? 'There is no ManagedServiceAccount' : `There is no ManagedServiceAccount ${account}`;
  return new CommandFailure(
    'notFound',
    `${which} for people in namespace ${site} of the hub: make one there (docs/logs.md#a-kubeconfig-of-a-site), and name it with --account.`,
  );
}

export function whichAccount(site: string, accounts: readonly string[]): CommandFailure {
  return new CommandFailure(
    'usage',
    `${site} has several accounts: choose one with --account, of ${accounts.join(', ')}.`,
  );
}

export function noToken(site: string, account: string): CommandFailure {
  return new CommandFailure(
    'failed',
    `managed-serviceaccount has made no token of ManagedServiceAccount ${account} yet: look at kubectl get managedclusteraddon managed-serviceaccount -n ${site}, and at the conditions of kubectl get managedserviceaccount ${account} -n ${site} -o yaml.`,
  );
}

export function ofReader(account: string): CommandFailure {
  return new CommandFailure(
    'forbidden',
    `${account} is the account of Cappstan's reader, which reads the logs of every Capp of the site: it is lent to nobody. Make a ManagedServiceAccount of your own, and name it with --account.`,
  );
}

/** With the lines that give the right, for whoever runs the hub; `account` is null where none was named. */
export function mayNotRead(site: string, account: string | null, who: string): CommandFailure {
  const right = `${account ?? 'account'}-kubeconfig`;
  const role = `kubectl create role ${right} -n ${site} --verb=get --resource=secrets --resource-name=${account ?? '<account>'}`;
  const binding = `kubectl create rolebinding ${right} -n ${site} --role=${right} --user=<user>`;
  const what =
    account === null
      ? `list the accounts of ${site}, or read the token of the one that there is: name yours with --account, and`
      : `read Secret ${account}, with the token, in namespace ${site} of the hub:`;
  return new CommandFailure(
    'forbidden',
    `${who} may not ${what} whoever runs the hub gives the right by ${role} && ${binding}.`,
  );
}

export function noAuthority(namespace: string, isForbidden: boolean): CommandFailure {
  const what = isForbidden ? 'You may not read' : 'The hub has no';
  return new CommandFailure(
    isForbidden ? 'forbidden' : 'notFound',
    `${what} Secret proxy-server-ca in namespace ${namespace}, whose ca.crt has signed the certificate of cluster-proxy: ask whoever runs the hub for that file, and give it with --certificate-authority, or say with --proxy-namespace where cluster-proxy is.`,
  );
}

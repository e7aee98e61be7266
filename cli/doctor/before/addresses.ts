// Tries the addresses that the chart will be given, from this machine.
import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import type { TriedAddress } from './facts.ts';

/** Somebody waits for the answer. */
const WITHIN_MS = 5_000;

/** `isRunning`: somebody has to listen there already. Never throws. */
export async function tryAddress(flag: string, text: string, isRunning: boolean): Promise<TriedAddress> {
  const { host, port } = partsOf(text);
  if (host === '') return { flag, text, problem: 'Unreadable' };
  const isKnown = await lookup(host).then(
    () => true,
    () => false,
  );
  if (!isKnown) return { flag, text, problem: 'NoName' };
  const isSilent = isRunning && !(await listens(host, port));
  return { flag, text, problem: isSilent ? 'Silent' : null };
}

function partsOf(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port = ''] =
    /^(?:\[([0-9a-fA-F:]+)\]|([^\s:/[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const number = Number(port);
  return { host: number > 0 && number < 65_536 ? (bracketed ?? plain ?? '') : '', port: number };
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(WITHIN_MS, () => end(false));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

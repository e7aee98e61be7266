// What is written either stands whole, or is taken away again.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `undo` runs when the work throws, and when a signal ends this process meanwhile. SIGKILL asks nobody. */
export async function wholeOrNothing<T>(work: () => Promise<T>, undo: () => void): Promise<T> {
  const interrupted = (): never => {
    undo();
    process.exit(1);
  };
  for (const signal of SIGNALS) process.on(signal, interrupted);
  try {
    return await work();
  } catch (error) {
    undo();
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupted);
  }
}

/** What the system says when a disk is full. */
export function isNoRoom(error: unknown): boolean {
  const { code = '', stderr = '' } = error as { readonly code?: string; readonly stderr?: string };
  return code === 'ENOSPC' || code === 'EDQUOT' || /no space left|disk quota/i.test(stderr);
}

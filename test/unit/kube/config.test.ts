// A process loads only the configuration of the Kubernetes client library, and none of its models.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../../..');
/** Prints each file of the library that a process loads for a kubeconfig. */
const PROGRAM = `
import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => { if (url.includes('/client-node/dist/')) console.log(url); return next(url, context); } });
const { KubeConfig } = await import('./kube/http/kube-config.ts');
console.log(new KubeConfig().getContexts().length);
`;

test("loading a kubeconfig loads none of the library's models", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    cwd: ROOT,
  });
  const loaded = stdout.trim().split('\n');
  expect(loaded.pop()).toBe('0');
  expect(loaded).toContainEqual(expect.stringMatching(/dist\/config\.js$/));
  expect(loaded.filter((url) => url.includes('/models/'))).toEqual([]);
});

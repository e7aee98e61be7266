// Which lines jump hosts take as public keys: those that ssh-keygen wrote, and none that is cut or made up.
import { isAuthorizedKey } from '../../../../activities/hub/metal/services/authorized-keys.ts';

const KEYS = [
  'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBDNwMJm+3ypOEpMjCQzNv9bagtKJyL1aJ+xMy1w9SXVZtryapcXCtRuyVq2ddpaKGWu2K2QWkxZthxRSqxfFBs0= x y',
  'ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBEF3TIsgwhDgZ3Gm8R3z+XU5xsCvrEo4deYtxft+wCZFDxJCpbpZpVeJxU0dSfH8J0mNxDRITFeNDLsCwAfN2ljeDdvoCTJ/DKZ7LBpQa9hzyazSjDMZ7asrjWaeAeyPnw== x y',
  'ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBAHBRZ8L1SOnwBc/4xT6D0gmVDT1pMqpUJdFF4aUBA+Wf6dg8ejZaf9/r9aSb7LW3VT8wZFRdXtgg6DZ9aYwWfPpawFqHBJlig7rne4U3s0tgD5Mo/X0suHg0dC73ciehataMPYv3cR1PFlGyN0M/oYfY5IL1YUY/uxXw2dZrcO+QNTIHQ== x y',
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC8olTCa2u6DrKhdLNVvRzhoJSndgUjWNjqkHKLLqxPeo5vRk1YAz5Rc0IbF7+eytJzMHCWd7zZfj3SWYJzljYyw0048//SuT8J7zGtJHdvUwN6p5l8vb5ba9y4lq3UoTLf3Ou8SgwCC3VE5zcqGvG8K6Mxu4ep+7UkiNm3SW+vzHpIJir+iitwS7bcD+ERVVRsqWMSWfJUxcjTgWW5Eqp9rT+KEQuAWDftU/y7npIqZRoOlVcNhCbKc72CXBWvH5ifATfi08xpbt0xwgZOIU4bpYKKxSa4g4iWzPGyWyiYzjrPBAFdjSLg1EZh8YfFxVY7lNLy2gCeCr2PnqMjcq0/9clYCNg1Yaqzrnq6PyC2KPtBc0nThqtI5CY//ogoVYZR2v/3neIvNIko6j08XNUoONGyJw7y8zijS2ZwhS8qIr6sn9gGoZeXDxrt9SdMAwRv8giXrzFXYPJ3Ftq59EBKEHTzb2mPezKETAfZibfJc+5DAVUUQ9SKMlvbaa5lkz0= x y',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPDiEv1pre5lygiyA3w6ypzTBmVK+Sfaf9diBQUw87aQ two',
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDCuC7iI7mTa6EKIFR52rxrbGPVKz3UN03RQn9kkwi+cUZo7oGTBiocfckoVuG/QD/XLd2olsj/Go2gjPqopaK4e2NsYmfWDJLvbAt6E+LwDxT3bk+UdEPUjeneAHPaAmyo9YERFGb+Wrz7uAaniEEtMFB9hqhjYy50SPS7OLPANe20+jyYLTfUBV9oHxpK0/PpQrqdDagvJkxQ6Ea6qeiPCImaoI1nz8ccyDO4lRaIs2LaLgaJQx+9H442cZrQo1BQs8FTNcx7+fSW9XKTzX47d++qiFdIj9UNGQsK5W74bwImpPZQ1jW6uKZwJ2PnZG/PNSfa2QJJCzN3eBNsUiX5 one',
] as const;
const [FIRST] = KEYS;

test.each(KEYS)('%s is one', (line) => {
  expect(isAuthorizedKey(line)).toBe(true);
  expect(isAuthorizedKey(`  ${line}  `)).toBe(true);
});

test('options may be before it', () => {
  expect(isAuthorizedKey(`no-pty,command="echo \\"a, b\\"",from="10.0.0.0/8" ${FIRST}`)).toBe(true);
});

test.each(KEYS)('%s is none when its blob is cut or is of another type', (line) => {
  const [type = '', blob = ''] = line.split(' ');
  expect(isAuthorizedKey(`${type} ${blob.slice(0, -8)}`)).toBe(false);
  expect(isAuthorizedKey(`${type === 'ssh-rsa' ? 'ssh-ed25519' : 'ssh-rsa'} ${blob}`)).toBe(false);
});

test.each([
  '',
  '# a comment',
  'sshrsaAAAAAAAAAAAAAAAAAAAAAinvalidkey',
  'ssh-ed25519 AAAA one',
  `ssh-dss ${FIRST.split(' ')[1]}`,
  `${FIRST}\n${FIRST}`,
  `command="x" no-pty ${FIRST}`,
])('%s is none', (line) => {
  expect(isAuthorizedKey(line)).toBe(false);
});

/** A blob whose lengths add up. */
function blobOf(...fields: readonly (string | Buffer)[]): string {
  const parts = fields.flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(field.length);
    return [length, Buffer.from(field)];
  });
  return Buffer.concat(parts).toString('base64');
}

test.each([
  ['ssh-ed25519', [Buffer.alloc(31, 1)]],
  ['ssh-ed25519', [Buffer.alloc(33, 1)]],
  ['ssh-ed25519', [Buffer.alloc(32, 1), Buffer.alloc(1)]],
  ['ssh-rsa', [Buffer.of(1, 0, 1), Buffer.alloc(64, 1)]],
  ['ecdsa-sha2-nistp256', ['nistp256', Buffer.alloc(33, 4)]],
])('a key of type %s with fields of other lengths is none', (type, fields) => {
  expect(isAuthorizedKey(`${type} ${blobOf(type, ...fields)}`)).toBe(false);
});

test('the helper of these makes keys, too', () => {
  expect(isAuthorizedKey(`ssh-ed25519 ${blobOf('ssh-ed25519', Buffer.alloc(32, 1))}`)).toBe(true);
});

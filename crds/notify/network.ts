// Networks, as people write them.
import { isIP } from 'node:net';

/** Whether it is a CIDR, such as 10.20.0.0/16. */
export function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const family = isIP(address);
  return (
    family !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32)
  );
}

/** Whether the host of an address, as URL writes it, is the computer that reads it: what is sent there does not leave it. */

export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

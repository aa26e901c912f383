/** Every limit of the HTTP server, in one place; each has its test. */

export const LIMITS = {
  /** Characters of the request line and its headers; beyond, 431. */
  header: 16 * 1024,
  /** Bytes of one body; beyond, 413. */
  body: 32 * 1024 * 1024,
  /** Bytes of a body that belongs to signing in: a form, or the registration of a client. */
  form: 16 * 1024,
  /** Bytes of all bodies that are being read or worked on; beyond, 503. */
  bodies: 256 * 1024 * 1024,
  /** Milliseconds for the headers. */
  headersTime: 10_000,
  /** Milliseconds that any body may take. */
  bodyTime: 15_000,
  /** Milliseconds that a body may take which keeps coming at `bodyRate`. */
  longBodyTime: 120_000,
  /** Bytes a second. */
  bodyRate: 64 * 1024,
  /** Sockets at once, unless --max-sockets says otherwise. */
  sockets: 2000,
  /** Streams at once of one identity; beyond, 429. */
  streams: 100,
  /** Sessions of one identity, and of all; beyond, the one that was idle for longest ends. */
  sessionsEach: 100,
  sessions: 1000,
  /** Milliseconds without a request after which a session ends. */
  sessionIdle: 30 * 60_000,
  /** Milliseconds between two comment lines of a stream, which keep it open through proxies. */
  keepAlive: 25_000,
  /** Milliseconds that calls under way may take once the server is asked to end. */
  grace: 600,
};
export type Limits = typeof LIMITS;

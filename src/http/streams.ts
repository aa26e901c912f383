/** Streams: counted for each identity, and told when they end, however that comes about. */

export type Streams = {
  /** The response, counted until its stream ends; null where the owner has too many. */
  open(owner: string, response: Response): Response | null;
};

export const openStreams = (limit: number): Streams => {
  const counts = new Map<string, number>();
  return {
    open(owner, response) {
      const count = counts.get(owner) ?? 0;
      if (count >= limit) {
        void response.body?.cancel().catch(() => undefined);
        return null;
      }
      counts.set(owner, count + 1);
      return whenEnded(response, () => {
        const left = counts.get(owner)! - 1;
        if (left === 0) counts.delete(owner);
        else counts.set(owner, left);
      });
    },
  };
};

export const isStream = (response: Response): boolean =>
  response.headers.get("content-type")?.startsWith("text/event-stream") === true;

/** A response as it was; `ended` is called once its body has been read, was given up, or has failed. */
export const whenEnded = (response: Response, ended: () => void): Response => {
  if (!response.body) {
    ended();
    return response;
  }
  const reader = response.body.getReader();
  let open = true;
  const end = (): void => {
    if (open) ended();
    open = false;
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
};

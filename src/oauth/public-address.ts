/** Which internet addresses are public: whatever is loopback, private, link-local, shared, multicast or set aside is not. On Node. */

import { BlockList, isIP } from "node:net";

const listOf = (kind: "ipv4" | "ipv6", networks: string): BlockList => {
  const list = new BlockList();
  for (const network of networks.split(/\s+/)) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), kind);
  }
  return list;
};

const CLOSED_4 = listOf(
  "ipv4",
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`,
);
/** Only these are given out to the public; mapped IPv4 (`::ffff:0:0/96`) and translated IPv4 (`64:ff9b::/96`) lie outside. */
const OPEN_6 = listOf("ipv6", "2000::/3");
/** Teredo and 6to4 carry an IPv4 address inside, the others are for examples. */
const CLOSED_6 = listOf("ipv6", "2001::/23 2001:db8::/32 2002::/16 3fff::/20");

export const isPublicAddress = (address: string): boolean => {
  const kind = isIP(address);
  if (kind === 4) return !CLOSED_4.check(address, "ipv4");
  if (kind !== 6 || address.includes("%")) return false;
  return OPEN_6.check(address, "ipv6") && !CLOSED_6.check(address, "ipv6");
};

/** Addresses and lists of them. In a page, `page/net.ts` takes the place of this module. */
export { BlockList, isIP } from 'node:net';

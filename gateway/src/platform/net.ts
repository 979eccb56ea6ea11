/** Addresses and lists of them: the core's only use of Node's net, so that other platforms can replace it. */
export { BlockList, isIP } from 'node:net';

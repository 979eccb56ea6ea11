/** Addresses and lists of them: all that the core needs of Node's net, so that another platform can bring its own. */
export { BlockList, isIP } from 'node:net';

export { freePorts } from '../../testing/free-ports.js';

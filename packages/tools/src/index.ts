export { tools } from "./catalog.js";

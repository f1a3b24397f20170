// The path of the gateway's MCP endpoint.
export const MCP_PATH = '/mcp';

/**
 * Addresses and networks where clouds give the credentials of a virtual machine to any process on it. No check and no
 * notification may ever reach them, whatever the settings say. Links: where each cloud documents its address.
 */
export const METADATA_ADDRESSES: readonly string[] = [
  // Most clouds: Amazon, Google, Microsoft, Oracle, DigitalOcean, Hetzner, OpenStack; also Amazon's resolver and clock.
  '169.254.169.0/24',
  // Amazon ECS task metadata and credentials, and EKS pod identity (169.254.170.2, 169.254.170.23).
  '169.254.170.0/24',
  // Amazon over IPv6: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
  'fd00:ec2::/32',
  // Google over IPv6: https://cloud.google.com/compute/docs/metadata/querying-metadata
  'fd20:ce::254',
  // Azure's WireServer: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  '168.63.129.16',
  // Alibaba: https://www.alibabacloud.com/help/ecs/user-guide/view-instance-metadata
  '100.100.100.200',
  // Oracle Cloud Classic.
  '192.0.0.192',
  // Tencent.
  '169.254.0.23',
  // Scaleway: https://www.scaleway.com/en/docs/instances/how-to/use-cloud-init/
  '169.254.42.42',
  'fd00:42::42',
  // OpenStack over IPv6: https://docs.openstack.org/nova/latest/user/metadata.html
  'fe80::a9fe:a9fe',
];

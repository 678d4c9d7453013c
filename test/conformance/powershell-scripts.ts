/** Constant scripts; `$env:CONFORMANCE_…` are their values, and what they print is one JSON object. */
const script = (body: string): string =>
  [
    "$ErrorActionPreference = 'Stop'",
    "$ProgressPreference = 'SilentlyContinue'",
    '[Console]::OutputEncoding = [Text.Encoding]::UTF8',
    `try { ${body.trim()} } catch { [Console]::Error.WriteLine($_); exit 1 }`,
  ].join('\n');

export const MAKE_DISK = script(`
  New-VHD -Path $env:CONFORMANCE_path -SizeBytes ([uint64]$env:CONFORMANCE_size) -Dynamic | Out-Null
  $number = (Mount-VHD -Path $env:CONFORMANCE_path -Passthru | Get-VHD).DiskNumber
  if ($env:CONFORMANCE_prepared -eq 'partitioned') {
    Initialize-Disk -Number $number -PartitionStyle GPT
    New-Partition -DiskNumber $number -UseMaximumSize | Out-Null
  }
  @{ number = $number } | ConvertTo-Json -Compress`);

export const RESIZE_DISK = script(
  'Resize-VHD -Path $env:CONFORMANCE_path -SizeBytes ([uint64]$env:CONFORMANCE_size)',
);

export const REMOVE_DISK = script(
  'Dismount-VHD -Path $env:CONFORMANCE_path; Remove-Item -Path $env:CONFORMANCE_path',
);

export const DISK_SET_ONLINE = script(
  "Set-Disk -Number ([uint32]$env:CONFORMANCE_number) -IsOffline ($env:CONFORMANCE_online -ne 'true')",
);

export const DISK_IS_ONLINE = script(
  '@{ online = -not (Get-Disk -Number ([uint32]$env:CONFORMANCE_number)).IsOffline } | ConvertTo-Json -Compress',
);

export const SYSTEM_VOLUME = script(
  '@{ text = (Get-Partition -DriveLetter C | Get-Volume).UniqueId } | ConvertTo-Json -Compress',
);

export const BIOS_SERIAL_NUMBER = script(
  '@{ text = (Get-CimInstance Win32_BIOS).SerialNumber } | ConvertTo-Json -Compress',
);

export const SERVICE_STATE = script(`
  $service = Get-Service -Name $env:CONFORMANCE_name
  @{ displayName = $service.DisplayName; startType = "$($service.StartType)"; status = "$($service.Status)" } |
    ConvertTo-Json -Compress`);

export const SERVICE_STOP = script('Stop-Service -Name $env:CONFORMANCE_name');

export const MAKE_SHARE = script(`
  $path = Join-Path $env:CONFORMANCE_folder $env:CONFORMANCE_name
  New-Item -ItemType Directory -Path $path | Out-Null
  $password = ConvertTo-SecureString $env:CONFORMANCE_password -AsPlainText -Force
  New-LocalUser -Name $env:CONFORMANCE_username -Password $password | Out-Null
  $account = "$env:COMPUTERNAME\\$env:CONFORMANCE_username"
  $rule = New-Object Security.AccessControl.FileSystemAccessRule($account, 'FullControl', 'Allow')
  $acl = Get-Acl $path; $acl.AddAccessRule($rule); Set-Acl $path $acl
  New-SmbShare -Name $env:CONFORMANCE_name -Path $path -FullAccess $account | Out-Null
  @{ remotePath = "\\\\$env:COMPUTERNAME\\$env:CONFORMANCE_name"; account = $account } | ConvertTo-Json -Compress`);

export const SHARE_IS_MAPPED = script(`
  $mapping = Get-SmbGlobalMapping -RemotePath $env:CONFORMANCE_path -ErrorAction SilentlyContinue
  @{ mapped = ($null -ne $mapping -and "$($mapping.Status)" -eq 'OK') } | ConvertTo-Json -Compress`);

export const SHARE_WRITE = script(
  'Set-Content -NoNewline -Path (Join-Path $env:CONFORMANCE_path $env:CONFORMANCE_file) -Value $env:CONFORMANCE_text',
);

export const SHARE_READ = script(`
  $text = Get-Content -Raw -Path (Join-Path $env:CONFORMANCE_path $env:CONFORMANCE_file)
  @{ text = "$text" } | ConvertTo-Json -Compress`);

export const REMOVE_SHARE = script(`
  Remove-SmbShare -Name $env:CONFORMANCE_name -Force
  Remove-LocalUser -Name $env:CONFORMANCE_name
  Remove-Item -Recurse -Path (Join-Path $env:CONFORMANCE_folder $env:CONFORMANCE_name)`);

export const MAKE_TARGET = script(`
  $path = Join-Path $env:CONFORMANCE_folder "$env:CONFORMANCE_name.vhdx"
  New-IscsiVirtualDisk -Path $path -SizeBytes 1GB | Out-Null
  $target = New-IscsiServerTarget -TargetName $env:CONFORMANCE_name -InitiatorIds 'IPAddress:127.0.0.1'
  Add-IscsiVirtualDiskTargetMapping -TargetName $env:CONFORMANCE_name -Path $path
  @{ iqn = "$($target.TargetIqn)" } | ConvertTo-Json -Compress`);

export const CHAP_TARGET = script(`
  function Get-Credential-Of($user, $secret) {
    New-Object Management.Automation.PSCredential($user, (ConvertTo-SecureString $secret -AsPlainText -Force))
  }
  $chap = Get-Credential-Of $env:CONFORMANCE_username $env:CONFORMANCE_secret
  Set-IscsiServerTarget -TargetName $env:CONFORMANCE_name -EnableChap $true -Chap $chap
  if ("$env:CONFORMANCE_initiatorSecret" -ne '') {
    $reverse = Get-Credential-Of $env:CONFORMANCE_username $env:CONFORMANCE_initiatorSecret
    Set-IscsiServerTarget -TargetName $env:CONFORMANCE_name -EnableReverseChap $true -ReverseChap $reverse
  }`);

export const REMOVE_TARGET = script(`
  $session = Get-IscsiTarget -NodeAddress $env:CONFORMANCE_iqn -ErrorAction SilentlyContinue
  if ($null -ne $session -and $session.IsConnected) {
    Disconnect-IscsiTarget -NodeAddress $env:CONFORMANCE_iqn -Confirm:$false
  }
  $path = Join-Path $env:CONFORMANCE_folder "$env:CONFORMANCE_name.vhdx"
  Remove-IscsiVirtualDiskTargetMapping -TargetName $env:CONFORMANCE_name -Path $path
  Remove-IscsiServerTarget -TargetName $env:CONFORMANCE_name
  Remove-IscsiVirtualDisk -Path $path; Remove-Item -Path $path`);

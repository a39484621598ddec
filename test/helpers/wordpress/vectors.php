<?php
// Prints what the plugin computes of the examples in vectors.json, as JSON.

$plugin = dirname( __DIR__, 3 ) . '/wp-plugin-bridge/includes/';
require $plugin . 'class-picket-bridge-signature.php';
require $plugin . 'checks/class-picket-bridge-check.php';
foreach ( array( 'xmlrpc', 'directory-browsing', 'debug-mode', 'hide-version', 'force-https', 'security-headers' ) as $check ) {
	require $plugin . "checks/class-picket-bridge-$check-check.php";
}

$vectors = json_decode( file_get_contents( __DIR__ . '/vectors.json' ), true );
$secret  = $vectors['secret'];
$found   = array();
foreach ( $vectors['requests'] as $one ) {
	$found[] = Picket_Bridge_Signature::of_request( $secret, $one['method'], $one['path'], $one['timestamp'], $one['nonce'], $one['siteId'], $one['body'] );
}
foreach ( $vectors['answers'] as $one ) {
	$found[] = Picket_Bridge_Signature::of_answer( $secret, $one['nonce'], $one['payload'] );
}
foreach ( $vectors['nudges'] as $one ) {
	$found[] = Picket_Bridge_Signature::of_nudge( $secret, $one['siteId'], (string) $one['timeMs'], $one['nonce'] );
	$found[] = Picket_Bridge_Signature::of_undo( $secret, $one['siteId'], (string) $one['timeMs'], $one['nonce'] );
	$found[] = Picket_Bridge_Signature::of_nudged( $secret, $one['siteId'], $one['nonce'] );
}
foreach ( $vectors['xmlrpc'] as $one ) {
	$found[] = Picket_Bridge_Xmlrpc_Check::judge( $one['status'], $one['body'] );
}
foreach ( $vectors['folders'] as $one ) {
	$found[] = Picket_Bridge_Directory_Browsing_Check::judge( $one['folder'], $one['status'], $one['body'] );
}
foreach ( $vectors['logs'] as $one ) {
	$found[] = Picket_Bridge_Debug_Mode_Check::is_log( $one['status'], $one['body'] );
}
foreach ( $vectors['versions'] as $one ) {
	$found[] = Picket_Bridge_Hide_Version_Check::is_shown( $one['body'], $one['version'] );
}
foreach ( $vectors['plainAnswers'] as $one ) {
	$found[] = Picket_Bridge_Force_Https_Check::judge( 'the page', $one['status'], $one['location'] );
}
foreach ( $vectors['headers'] as $one ) {
	$found[] = Picket_Bridge_Security_Headers_Check::judge( $one['headers'] );
}
echo json_encode( $found );

<?php
/**
 * The check of XML-RPC.
 *
 * @package PicketBridge
 */

/**
 * Calls xmlrpc.php as a stranger would. Only the answer counts, not what a setting or a file says.
 */
final class Picket_Bridge_Xmlrpc_Check extends Picket_Bridge_Check {

	const LIST_METHODS = '<?xml version="1.0"?><methodCall><methodName>system.listMethods</methodName></methodCall>';
	const REFUSALS     = array( 401, 403, 404, 405, 410 );

	/**
	 * Returns what the answer means. The control plane has the same function, and its tests have examples for both.
	 *
	 * @param int    $status The HTTP status.
	 * @param string $body   The body.
	 * @return array{status: string, evidence: string}
	 */
	public static function judge( int $status, string $body ): array {
		if ( false !== strpos( $body, '<methodResponse' ) ) {
			$methods = substr_count( $body, '<value><string>' );
			$offered = 0 === $methods ? '' : " and offers $methods methods";
			return self::result( 'failing', "xmlrpc.php answers with HTTP $status$offered" );
		}
		if ( in_array( $status, self::REFUSALS, true ) ) {
			return self::result( 'passing', "xmlrpc.php refuses the call with HTTP $status" );
		}
		if ( 200 === $status && '' === trim( $body ) ) {
			return self::result( 'passing', 'xmlrpc.php answers with an empty page' );
		}
		return self::result( 'unknown', "xmlrpc.php answers with HTTP $status, but not as WordPress does" );
	}

	/**
	 * Measures it.
	 *
	 * @return array{status: string, evidence: string}
	 */
	public function measure(): array {
		$answer = Picket_Bridge_Self_Request::send(
			'POST',
			site_url( 'xmlrpc.php' ),
			array(
				'body'    => self::LIST_METHODS,
				'headers' => array( 'Content-Type' => 'text/xml' ),
			)
		);
		return is_wp_error( $answer ) ? self::unanswered( 'xmlrpc.php', $answer ) : self::judge( $answer['status'], $answer['body'] );
	}

	/**
	 * Returns the must-use plugin that refuses the calls.
	 *
	 * @return Picket_Bridge_Change[]
	 */
	public function changes(): array {
		$code = "if ( defined( 'XMLRPC_REQUEST' ) && XMLRPC_REQUEST ) {\n"
			. "\tstatus_header( 403 );\n"
			. "\theader( 'Content-Type: text/plain; charset=utf-8' );\n"
			. "\techo 'XML-RPC is closed on this site.';\n"
			. "\texit;\n"
			. "}\n";
		return array( new Picket_Bridge_Must_Use_File( 'xmlrpc', 'XML-RPC is closed', $code ) );
	}
}
